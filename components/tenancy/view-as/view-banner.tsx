"use client";

import { useTranslations } from "next-intl";
import { call } from "@/components/api/client";
import { waitForNavigation } from "@/components/api/session";
import { useAction } from "@/components/form/use-action";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { allowLeaving } from "@/components/ui/unsaved";
import { useNow } from "@/components/ui/use-now";
import type { CurrentView } from "./types";

export function ViewAsBanner({ view: { actor, target, expires_at } }: { view: CurrentView }) {
  const t = useTranslations("shell.viewAs");
  const now = useNow(10_000);
  const endView = useAction(() => call.viewAs.end.mutate(), {
    successText: false,
    onSuccess: async () => {
      allowLeaving();
      window.location.assign(
        `/${actor.role === "admin" ? "admin/users" : "reseller/customers"}/${target.id}`,
      );
      await waitForNavigation();
    },
  });
  const minutesLeft =
    now === null ? undefined : Math.max(0, Math.floor((Date.parse(expires_at) - now) / 60_000));
  return (
    <Banner
      tone="warning"
      solid
      action={
        <Button size="sm" working={endView.isPending} onClick={() => endView.run()}>
          {t("end")}
        </Button>
      }
    >
      {t.rich("band", {
        actor: () => <bdi>{actor.name}</bdi>,
        target: () => <bdi>{target.name}</bdi>,
        left: minutesLeft === undefined ? "…" : t("left", { count: minutesLeft }),
      })}
    </Banner>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { publicCall } from "@/components/api/public-call";
import { waitForNavigation } from "@/components/api/session";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";

export function ViewAsEnded() {
  const t = useTranslations("viewAs.over");
  const endView = useAction(() => publicCall.viewAs.end.mutate({}), {
    successText: false,
    onSuccess: async () => {
      window.location.assign("/dashboard");
      await waitForNavigation();
    },
  });
  return (
    <div className="flex flex-col gap-4">
      {endView.problem ? <FormAlert tone="danger">{endView.problem}</FormAlert> : null}
      <Button variant="primary" block working={endView.isPending} onClick={() => endView.attempt()}>
        {t("back")}
      </Button>
    </div>
  );
}

"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { api } from "@/components/api/client";
import { Banner } from "@/components/ui/banner";
import { LinkButton } from "@/components/ui/link-button";
import { Time } from "@/components/ui/time";
import { useNow } from "@/components/ui/use-now";
import type { Output } from "@/server/core/contract";
import type { getFactorDuty } from "@/server/domains/access/two-factor/contract";

const DAY_MS = 86_400_000;

/** Shows the deadline for a second factor or passkey. After it, explains why other pages are closed. */
export function RequirementBanner({ initial }: { initial: Output<typeof getFactorDuty> }) {
  const t = useTranslations("factorDuty");
  const router = useRouter();
  const now = useNow(60_000);
  const { data } = api.twoFactor.getDuty.useQuery(undefined, { initialData: initial });
  const isMet = data.duty === null;
  // Render the layout again: it still hides the pages that were closed.
  useEffect(() => {
    if (isMet) router.refresh();
  }, [isMet, router]);
  if (!data.duty) return null;
  const { enrol_by: deadline, overdue } = data.duty;
  const daysLeft = now === null ? null : Math.max(0, Math.floor((Date.parse(deadline) - now) / DAY_MS));
  const time = () => <Time value={deadline} show="dateTime" />;
  return (
    <Banner
      tone={overdue ? "danger" : "warning"}
      action={
        <LinkButton size="sm" href={"/settings/security#second-factor" as Route}>
          {t("banner.action")}
        </LinkButton>
      }
    >
      {overdue ? (
        <span>
          <strong>{t("required.title")}</strong> {t.rich("required.text", { time })}
        </span>
      ) : (
        <span>
          <span>{t.rich("banner.by", { time })}</span>
          {daysLeft === null ? null : <span>{` ${t("banner.days", { days: daysLeft })}`}</span>}
        </span>
      )}
    </Banner>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { Time } from "@/components/ui/time";
import type { MailAccountResponse } from "@/server/domains/tenancy/mail-accounts/contract";

export function LastFailures({ failures: { count, last } }: Pick<MailAccountResponse, "failures">) {
  const t = useTranslations("mailAccount");
  if (!last) return <p>{t("failures.none")}</p>;
  return (
    <p>
      <span>{t("failures.count", { count })}</span>{" "}
      {t.rich("failures.last", { reason: t(`reason.${last.reason}`), time: () => <Time value={last.at} /> })}
    </p>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { FormNumber } from "@/components/form/form-number";
import { SettingsCard } from "./settings-card";
import type { Setting } from "./types";

/** For how long mails, the audit log and the deliveries of webhooks are kept. */
export function RetentionCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.retention");
  return (
    <SettingsCard
      settings={settings}
      keys={["mail_retention_days", "audit_retention_days", "webhook_retention_days"]}
      load={() => import("./forms").then((file) => file.retentionForm)}
      valuesOf={({ mail_retention_days, audit_retention_days, webhook_retention_days }) => ({
        mail_retention_days,
        audit_retention_days,
        webhook_retention_days,
      })}
      bodyOf={(body) => body}
      title={t("title")}
      text={t("text")}
      save={t("save")}
    >
      <FormNumber name="mail_retention_days" label={t("mail")} hint={t("mailHint")} />
      <FormNumber name="audit_retention_days" label={t("audit")} hint={t("auditHint")} />
      <FormNumber name="webhook_retention_days" label={t("webhooks")} hint={t("webhooksHint")} />
    </SettingsCard>
  );
}

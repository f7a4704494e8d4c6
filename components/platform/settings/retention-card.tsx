"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useProven } from "@/components/accounts/proof/use-proven";
import { api } from "@/components/api/client";
import { FormNumber } from "@/components/form/form-number";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { ChangedBy } from "./changed-by";
import { type Setting, settingOf } from "./types";

const timesOf = (settings: readonly Setting[]) => ({
  mail_retention_days: settingOf(settings, "mail_retention_days").updated_at,
  audit_retention_days: settingOf(settings, "audit_retention_days").updated_at,
});

/** For how long mails and the audit log are kept. */
export function RetentionCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.retention");
  const save = api.settings.change.useMutation();
  const { prove, confirmation } = useProven();
  const now = save.data?.settings ?? settings;
  const seen = useRef(timesOf(now));
  const [mail, audit] = [settingOf(now, "mail_retention_days"), settingOf(now, "audit_retention_days")];
  const form = useOperationForm(() => import("./forms").then((file) => file.retentionForm), {
    defaultValues: { mail_retention_days: Number(mail.value), audit_retention_days: Number(audit.value) },
    submit: (body) =>
      prove(t("title"), () => save.mutateAsync({ body: { ...body, expected_updated_at: seen.current } })),
    onSuccess: (saved, values) => {
      if (!saved) return;
      seen.current = timesOf(saved.settings);
      toast.success(saved.message);
      form.reset(values);
    },
  });
  const last = (mail.updated_at ?? "") > (audit.updated_at ?? "") ? mail : audit;
  return (
    <Card title={t("title")} description={t("text")} footer={<ChangedBy setting={last} />}>
      <OperationForm form={form} label={t("title")}>
        <FormNumber name="mail_retention_days" label={t("mail")} hint={t("mailHint")} min={7} max={730} />
        <FormNumber
          name="audit_retention_days"
          label={t("audit")}
          hint={t("auditHint")}
          min={90}
          max={3650}
        />
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
      {confirmation}
    </Card>
  );
}

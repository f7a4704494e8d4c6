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

const KEYS = ["mail_retention_days", "audit_retention_days", "webhook_retention_days"] as const;
type Of<T> = Record<(typeof KEYS)[number], T>;
const of = <T,>(settings: readonly Setting[], read: (setting: Setting) => T) =>
  Object.fromEntries(KEYS.map((key) => [key, read(settingOf(settings, key))])) as Of<T>;
const timesOf = (settings: readonly Setting[]) => of(settings, ({ updated_at }) => updated_at);

/** For how long mails, the audit log and the deliveries of webhooks are kept. */
export function RetentionCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.retention");
  const save = api.settings.change.useMutation();
  const { prove, confirmation } = useProven();
  const now = save.data?.settings ?? settings;
  const seen = useRef(timesOf(now));
  const form = useOperationForm(() => import("./forms").then((file) => file.retentionForm), {
    defaultValues: of(now, ({ value }) => Number(value)),
    submit: (body) =>
      prove(t("title"), () => save.mutateAsync({ body: { ...body, expected_updated_at: seen.current } })),
    onSuccess: (saved, values) => {
      if (!saved) return;
      seen.current = timesOf(saved.settings);
      toast.success(saved.message);
      form.reset(values);
    },
  });
  const [last] = KEYS.map((key) => settingOf(now, key)).sort((a, b) =>
    (b.updated_at ?? "").localeCompare(a.updated_at ?? ""),
  );
  return (
    <Card title={t("title")} description={t("text")} footer={<ChangedBy setting={last!} />}>
      <OperationForm form={form} label={t("title")}>
        <FormNumber name="mail_retention_days" label={t("mail")} hint={t("mailHint")} min={7} max={730} />
        <FormNumber
          name="audit_retention_days"
          label={t("audit")}
          hint={t("auditHint")}
          min={90}
          max={3650}
        />
        <FormNumber
          name="webhook_retention_days"
          label={t("webhooks")}
          hint={t("webhooksHint")}
          min={7}
          max={90}
        />
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
      {confirmation}
    </Card>
  );
}

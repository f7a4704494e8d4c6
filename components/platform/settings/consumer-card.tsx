"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { ChangedBy } from "./changed-by";
import { type Setting, type StoredSettings, settingOf, storedOf } from "./types";

const KEY = "final_consumer_tax_number";

/** The number on invoices to consumers who give none. */
export function ConsumerCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.consumer");
  const save = api.settings.change.useMutation();
  const form = useStoredForm(() => import("./forms").then((file) => file.consumerForm), {
    stored: storedOf(settings),
    valuesOf: (stored: StoredSettings) => ({ [KEY]: stored[KEY] }),
    submit: (body, { updated_at }) =>
      save.mutateAsync({ body: { ...body, expected_updated_at: { [KEY]: updated_at[KEY] } } }),
    onSuccess: (saved) => {
      toast.success(saved.message);
      form.begin(storedOf(saved.settings));
    },
  });
  const setting = settingOf(save.data?.settings ?? settings, KEY);
  const never = t(setting.source === "environment" ? "environment" : "default");
  return (
    <Card title={t("title")} description={t("text")} footer={<ChangedBy setting={setting} never={never} />}>
      <OperationForm form={form} label={t("title")}>
        <FormField name={KEY} label={t("number")} inputMode="numeric" autoComplete="off" dir="ltr" />
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
    </Card>
  );
}

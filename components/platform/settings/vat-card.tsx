"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { FormNumber } from "@/components/form/form-number";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { ChangedBy } from "./changed-by";
import { type Setting, type StoredSettings, settingOf, storedOf } from "./types";

/** The VAT rate of payments that are recorded from now on. */
export function VatCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.vat");
  const save = api.settings.change.useMutation();
  const form = useStoredForm(() => import("./forms").then((file) => file.vatForm), {
    stored: storedOf(settings),
    valuesOf: ({ vat_rate }: StoredSettings) => ({ vat_rate }),
    submit: (body, { updated_at }) =>
      save.mutateAsync({ body: { ...body, expected_updated_at: { vat_rate: updated_at.vat_rate } } }),
    onSuccess: (saved) => {
      toast.success(saved.message);
      form.begin(storedOf(saved.settings));
    },
  });
  const setting = settingOf(save.data?.settings ?? settings, "vat_rate");
  return (
    <Card
      title={t("title")}
      description={t("text")}
      footer={<ChangedBy setting={setting} never={t("never")} />}
    >
      <OperationForm form={form} label={t("title")}>
        <FormNumber name="vat_rate" label={t("rate")} min={0} max={100} after="%" />
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
    </Card>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useProven } from "@/components/accounts/proof/use-proven";
import { api } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { ChangedBy } from "./changed-by";
import { type Setting, type StoredSettings, settingOf, storedOf } from "./types";

const NONE = { holder: "", iban: "", bank: "" };

/** Where customers transfer money to. */
export function BankCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.bank");
  const save = api.settings.change.useMutation();
  const { prove, confirmation } = useProven();
  const form = useStoredForm(() => import("./forms").then((file) => file.bankForm), {
    stored: storedOf(settings),
    valuesOf: ({ bank }: StoredSettings) => bank ?? NONE,
    submit: (bank, { updated_at }) =>
      prove(t("title"), () =>
        save.mutateAsync({ body: { bank, expected_updated_at: { bank: updated_at.bank } } }),
      ),
    onSuccess: (saved) => {
      if (!saved) return;
      toast.success(saved.message);
      form.begin(storedOf(saved.settings));
    },
  });
  const setting = settingOf(save.data?.settings ?? settings, "bank");
  return (
    <Card title={t("title")} description={t("text")} footer={<ChangedBy setting={setting} />}>
      <OperationForm form={form} label={t("title")}>
        <FormField name="holder" label={t("holder")} dir="auto" autoComplete="off" />
        <FormField name="iban" label={t("iban")} dir="ltr" autoComplete="off" spellCheck={false} />
        <FormField name="bank" label={t("bank")} dir="auto" autoComplete="off" />
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
      {confirmation}
    </Card>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { api } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { ChangedBy } from "./changed-by";
import { type Setting, settingOf } from "./types";

/** Where customers transfer money to. */
export function BankCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.bank");
  const save = api.settings.change.useMutation();
  const setting = settingOf(save.data?.settings ?? settings, "bank");
  const seen = useRef(setting.updated_at);
  const stored = setting.value as { holder: string; iban: string; bank: string } | null;
  const form = useOperationForm(() => import("./forms").then((file) => file.bankForm), {
    defaultValues: { holder: stored?.holder ?? "", iban: stored?.iban ?? "", bank: stored?.bank ?? "" },
    submit: (bank) => save.mutateAsync({ body: { bank, expected_updated_at: { bank: seen.current } } }),
    onSuccess: (saved, values) => {
      seen.current = settingOf(saved.settings, "bank").updated_at;
      toast.success(saved.message);
      form.reset(values);
    },
  });
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
    </Card>
  );
}

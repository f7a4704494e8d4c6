"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { FormAlert } from "@/components/ui/form-alert";
import { getRefusalReason } from "./refusal";

export function TestMessageForm({ id, phone }: { id: number; phone: string | null }) {
  const t = useTranslations("connections.test");
  const [isSent, setIsSent] = useState(false);
  const form = useOperationForm(
    () => import("@/server/domains/sites/connections/contract").then((file) => file.sendTestMessage),
    {
      defaultValues: { to: phone ?? "" },
      submit: (body) => {
        setIsSent(false);
        return call.connections.sendTest.mutate({ params: { id: String(id) }, body });
      },
      onError: (error) => {
        if (!getRefusalReason(error)?.startsWith("number_")) return false;
        form.setError("to", { type: "server", message: error.message }, { shouldFocus: true });
        return true;
      },
      showsSuccessToast: false,
      onSuccess: (_result, { to }) => {
        setIsSent(true);
        form.reset({ to });
      },
    },
  );
  return (
    <OperationForm form={form} label={t("submit")}>
      <FormField name="to" type="tel" label={t("to")} hint={t("toHint")} autoComplete="tel" dir="ltr" />
      {isSent ? (
        <FormAlert tone="success" live>
          {t("sent")}
        </FormAlert>
      ) : null}
      <SubmitButton variant="secondary">{t("submit")}</SubmitButton>
    </OperationForm>
  );
}

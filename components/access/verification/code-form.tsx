"use client";

import { useTranslations } from "next-intl";
import { CodeField } from "@/components/access/sign-in/code-field";
import { FormEmail } from "@/components/form/form-email";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { type CodeFormOptions, useCodeForm } from "./use-code-form";

/** Without an address, the form asks for it. */
export function CodeForm(options: CodeFormOptions) {
  const t = useTranslations("auth");
  const form = useCodeForm(options);
  return (
    <OperationForm form={form}>
      {options.email ? null : <FormEmail name="email" label={t("email")} autoComplete="email" />}
      <CodeField label={t("verify.code")} isOnlyField={Boolean(options.email)} />
      <SubmitButton block>{t("verify.submit")}</SubmitButton>
    </OperationForm>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { FormError } from "@/components/api/form-error";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { normaliseSpokenCode } from "@/server/core/normalise";

export interface CheckRecoveryCodeProps {
  codes: readonly string[];
  onBack: () => void;
  onDone: () => void;
}

export function CheckRecoveryCode({ codes, onBack, onDone }: CheckRecoveryCodeProps) {
  const t = useTranslations("security.check");
  const form = useOperationForm(() => import("./forms").then((file) => file.recoveryCodeCheckForm), {
    defaultValues: { code: "" },
    submit: async ({ code }) => {
      if (!codes.some((shownCode) => normaliseSpokenCode(shownCode) === normaliseSpokenCode(code)))
        throw new FormError({ status: 422, errors: { code: [t("wrong")] } });
      return { message: t("done") };
    },
    onSuccess: () => onDone(),
  });
  const { setFocus } = form;
  useEffect(() => setFocus("code"), [setFocus]);
  return (
    <OperationForm form={form} label={t("title")}>
      <FormField
        name="code"
        label={t("label")}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
      />
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onClick={onBack}>{t("back")}</Button>
        <SubmitButton>{t("submit")}</SubmitButton>
      </div>
    </OperationForm>
  );
}

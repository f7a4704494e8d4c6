"use client";

import { useTranslations } from "next-intl";
import { publicCall } from "@/components/api/public-call";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { type FormOperation, useOperationForm } from "@/components/form/use-operation-form";
import type { LastSignInMethod } from "@/server/domains/access/sign-in/policy";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import { type ClosedGate, toClosedGate } from "./closed-gate";
import { CodeField } from "./code-field";
import type { signInCodeForm, signInRecoveryForm } from "./forms";
import type { OpenPanel } from "./use-open-panel";

export type SecondFactorMethod = FactorKind | "recovery";

const loadCodeForm =
  (method: SecondFactorMethod) =>
  async (): Promise<FormOperation<typeof signInCodeForm.body | typeof signInRecoveryForm.body>> => {
    const forms = await import("./forms");
    return method === "recovery" ? forms.signInRecoveryForm : forms.signInCodeForm;
  };

export interface SecondFactorFormProps {
  token: string;
  method: SecondFactorMethod;
  firstMethod?: LastSignInMethod;
  openPanel: OpenPanel;
  onClosedGate: (closedGate: ClosedGate) => void;
  onExpired: (text: string) => void;
}

export function SecondFactorForm({
  token,
  method,
  firstMethod,
  openPanel,
  onClosedGate,
  onExpired,
}: SecondFactorFormProps) {
  const t = useTranslations("auth");
  const form = useOperationForm(loadCodeForm(method), {
    defaultValues: { code: "", remember: false },
    submit: async ({ code, remember }) => {
      const commonFields = { interim_token: token, remember_device: remember };
      const result =
        method === "recovery"
          ? await publicCall.signIn.recover.mutate({ body: { ...commonFields, recovery_code: code } })
          : await publicCall.signIn.challenge.mutate({ body: { ...commonFields, method, code } });
      await openPanel(result.token, firstMethod);
    },
    onError: (error) => {
      const closedGate = toClosedGate(error);
      if (closedGate) onClosedGate(closedGate);
      else if (error.status === 401) onExpired(error.message);
      else if (error.status === 422 && error.message && Object.keys(error.errors).length === 0)
        form.setError("code", { type: "server", message: error.message }, { shouldFocus: true });
      else return false;
      return true;
    },
  });
  return (
    <OperationForm form={form}>
      <FormCheckbox name="remember" label={t("second.remember")} hint={t("second.rememberHint")} />
      {method === "recovery" ? (
        <FormField
          name="code"
          label={t("second.recovery")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
      ) : (
        <CodeField label={t("verify.code")} />
      )}
      <SubmitButton block>{t("signIn.submit")}</SubmitButton>
    </OperationForm>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { publicCall } from "@/components/api/public-call";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { type FormOperation, useOperationForm } from "@/components/form/use-operation-form";
import type { LastMethod } from "@/server/domains/access/sign-in/policy";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import { type ClosedGate, toClosedGate } from "./closed-gate";
import { CodeField } from "./code-field";
import type { codeForm, recoveryForm } from "./forms";
import type { OpenPanel } from "./use-open-panel";

export type ProofKind = FactorKind | "recovery";

const loadForm =
  (proof: ProofKind) => async (): Promise<FormOperation<typeof codeForm.body | typeof recoveryForm.body>> => {
    const forms = await import("./forms");
    return proof === "recovery" ? forms.recoveryForm : forms.codeForm;
  };

export interface ProofFormProps {
  token: string;
  proof: ProofKind;
  firstMethod?: LastMethod;
  enter: OpenPanel;
  onClosedGate: (closedGate: ClosedGate) => void;
  onExpired: (text: string) => void;
}

export function ProofForm({ token, proof, firstMethod, enter, onClosedGate, onExpired }: ProofFormProps) {
  const t = useTranslations("auth");
  const form = useOperationForm(loadForm(proof), {
    defaultValues: { code: "", remember: false },
    submit: async ({ code, remember }) => {
      const commonFields = { interim_token: token, remember_device: remember };
      const result =
        proof === "recovery"
          ? await publicCall.signIn.recover.mutate({ body: { ...commonFields, recovery_code: code } })
          : await publicCall.signIn.challenge.mutate({ body: { ...commonFields, method: proof, code } });
      await enter(result.token, firstMethod);
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
      {proof === "recovery" ? (
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
      <FormCheckbox name="remember" label={t("second.remember")} hint={t("second.rememberHint")} />
      <SubmitButton block>{t("signIn.submit")}</SubmitButton>
    </OperationForm>
  );
}

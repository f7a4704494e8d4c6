"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect } from "react";
import { CodeField } from "@/components/access/sign-in/code-field";
import type { ProofMethod } from "@/components/accounts/users/proof-method";
import { call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";

type TypedMethod = Exclude<ProofMethod, "passkey" | "sign_in">;

export interface IdentityFormProps {
  method: TypedMethod;
  interimToken?: string;
  focusOnMount: boolean;
  onProven: () => void;
}

export function IdentityForm({ method, ...props }: IdentityFormProps) {
  const t = useTranslations("auth");
  if (method === "password") return <PasswordProof {...props} />;
  return (
    <CodeProof method={method} {...props}>
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
        <CodeField label={t("verify.code")} focusOnMount={false} />
      )}
    </CodeProof>
  );
}

function CodeProof({
  method,
  interimToken,
  focusOnMount,
  onProven,
  children,
}: IdentityFormProps & { method: Exclude<TypedMethod, "password">; children: ReactNode }) {
  const t = useTranslations("identity");
  const form = useOperationForm(
    () =>
      import("../forms").then((file) =>
        method === "recovery" ? file.recoveryProofForm : file.codeProofForm,
      ),
    {
      defaultValues: { code: "" },
      submit: ({ code }) =>
        call.signIn.confirmIdentity.mutate({
          body: { method, value: code, interim_token: interimToken ?? null },
        }),
      showsSuccessToast: false,
      onSuccess: onProven,
      onError: ({ status, message, errors }) => {
        if (status !== 422 || !message || Object.keys(errors).length > 0) return false;
        form.setError("code", { type: "server", message }, { shouldFocus: true });
        return true;
      },
    },
  );
  const { setFocus } = form;
  useEffect(() => {
    if (focusOnMount) setFocus("code");
  }, [focusOnMount, setFocus]);
  return (
    <OperationForm form={form} label={t("title")}>
      {children}
      <SubmitButton block>{t("submit")}</SubmitButton>
    </OperationForm>
  );
}

function PasswordProof({ focusOnMount, onProven }: Omit<IdentityFormProps, "method">) {
  const t = useTranslations();
  const form = useOperationForm(() => import("../forms").then((file) => file.passwordProofForm), {
    defaultValues: { password: "" },
    submit: ({ password }) =>
      call.signIn.confirmIdentity.mutate({ body: { method: "password", value: password } }),
    showsSuccessToast: false,
    onSuccess: onProven,
    onError: ({ status, message, errors }) => {
      if (status !== 422 || !message || Object.keys(errors).length > 0) return false;
      form.setValue("password", "");
      form.setError("password", { type: "server", message }, { shouldFocus: true });
      return true;
    },
  });
  const { setFocus } = form;
  useEffect(() => {
    if (focusOnMount) setFocus("password");
  }, [focusOnMount, setFocus]);
  return (
    <OperationForm form={form} label={t("identity.title")}>
      <FormField
        name="password"
        as="password"
        label={t("auth.signIn.password")}
        autoComplete="current-password"
      />
      <SubmitButton block>{t("identity.submit")}</SubmitButton>
    </OperationForm>
  );
}

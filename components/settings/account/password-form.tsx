"use client";

import { useTranslations } from "next-intl";
import { NewPasswordField } from "@/components/access/sign-in/new-password-field";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";

export interface PasswordFormProps {
  hasPassword: boolean;
  email: string;
  onDone: () => void;
}

export function PasswordForm({ hasPassword, email, onDone }: PasswordFormProps) {
  const t = useTranslations("security.password");
  const utils = api.useUtils();
  const form = useOperationForm(() => import("./forms").then((file) => file.buildPasswordForm(hasPassword)), {
    proofPrompt: useFormProof(t("title")),
    defaultValues: { current_password: "", new_password: "" },
    submit: ({ current_password, new_password }) =>
      call.account.updateProfile.mutate({ body: { current_password, new_password } }),
    onSuccess: async () => {
      form.reset();
      onDone();
      await Promise.all([
        utils.account.getPassword.invalidate(),
        utils.tokens.listSessions.invalidate(),
        utils.tokens.listDevices.invalidate(),
      ]);
    },
    onError: ({ status, message, errors }) => {
      // A message without field errors means that the current password is wrong.
      if (status !== 422 || !message || Object.keys(errors).length > 0) return false;
      form.setValue("current_password", "");
      form.setError("current_password", { type: "server", message }, { shouldFocus: true });
      return true;
    },
  });
  return (
    <OperationForm form={form} label={t("title")}>
      {/* Password managers need the account that the password belongs to. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      {hasPassword ? (
        <FormField
          name="current_password"
          as="password"
          label={t("current")}
          autoComplete="current-password"
        />
      ) : null}
      <NewPasswordField name="new_password" label={t("next")} email={email} />
      <p className="text-fg-muted text-sm">{t("ends")}</p>
      <SubmitButton>{t(hasPassword ? "submit" : "set")}</SubmitButton>
    </OperationForm>
  );
}

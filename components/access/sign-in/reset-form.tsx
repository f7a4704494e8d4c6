"use client";

import { useTranslations } from "next-intl";
import { publicCall } from "@/components/api/public-call";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { PageHeader } from "@/components/ui/page-header";
import { NewPasswordField } from "./new-password-field";
import type { UnfinishedSignIn } from "./password-changed";
import { renderStrongAddress } from "./strong-address";
import { useOpenPanel } from "./use-open-panel";

export interface ResetFormProps {
  token: string;
  email: string;
  /** `result`: why the sign-in is unfinished; undefined when only opening the session failed. */
  onChanged: (result?: UnfinishedSignIn) => void;
  onInvalidLink: () => void;
}

export function ResetForm({ token, email, onChanged, onInvalidLink }: ResetFormProps) {
  const t = useTranslations("auth");
  const openPanel = useOpenPanel();
  const form = useOperationForm(() => import("./forms").then((file) => file.resetPasswordForm), {
    defaultValues: { password: "" },
    submit: async ({ password }) => {
      const result = await publicCall.signIn.resetPassword.mutate({
        body: { token, email, password, password_confirmation: password },
      });
      if (!result.auto_login) return { refused: result };
      // Ignore a failure: the password is changed, and the user can sign in with it.
      await openPanel(result.token).catch(() => undefined);
      return {};
    },
    showsSuccessToast: false,
    onSuccess: ({ refused: unfinishedSignIn }) => onChanged(unfinishedSignIn),
    onError: (error) => {
      if (error.status !== 400) return false;
      onInvalidLink();
      return true;
    },
  });
  return (
    <>
      <PageHeader
        title={t("reset.title")}
        description={t.rich("reset.text", { email, b: renderStrongAddress })}
      />
      <OperationForm form={form}>
        {/* Lets password managers match the account. */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField label={t("reset.password")} email={email} />
        <SubmitButton block>{t("reset.submit")}</SubmitButton>
      </OperationForm>
    </>
  );
}

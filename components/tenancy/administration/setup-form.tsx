"use client";

import { Link2Off } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { NewPasswordField } from "@/components/access/sign-in/new-password-field";
import { OutcomeScreen } from "@/components/access/sign-in/outcome-screen";
import { useCleanUrl } from "@/components/access/sign-in/use-clean-url";
import { useOpenPanel } from "@/components/access/sign-in/use-open-panel";
import { publicCall } from "@/components/api/public-call";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";

export function SetupForm({ token: initialToken }: { token: string }) {
  const t = useTranslations();
  // Keep the token: the URL is cleaned right after the first render.
  const [token] = useState(initialToken);
  const [closedMessage, setClosedMessage] = useState<string>();
  useCleanUrl(true);
  const openPanel = useOpenPanel("/setup/checks");
  const form = useOperationForm(() => import("./forms").then((file) => file.setupForm), {
    defaultValues: { name: "", email: "", password: "" },
    submit: async (values) => {
      const body = { ...values, token, password_confirmation: values.password };
      const { token: sessionToken } = await publicCall.administration.completeSetup.mutate({ body });
      await openPanel(sessionToken);
    },
    onError: ({ status, message }) => {
      if (status !== 400) return false;
      setClosedMessage(message);
      return true;
    },
  });
  if (closedMessage)
    return (
      <OutcomeScreen
        icon={<Link2Off />}
        tone="warning"
        title={t("setup.deadTitle")}
        text={closedMessage}
        focusOnMount
      >
        <LinkButton href="/sign-in">{t("setup.toSignIn")}</LinkButton>
      </OutcomeScreen>
    );
  return (
    <>
      <PageHeader title={t("setup.title")} description={t("setup.text")} />
      <OperationForm form={form}>
        <FormField name="name" label={t("setup.name")} autoComplete="name" autoCapitalize="words" />
        <FormEmail name="email" label={t("auth.email")} autoComplete="username" />
        <NewPasswordField label={t("setup.password")} />
        <SubmitButton block>{t("setup.submit")}</SubmitButton>
      </OperationForm>
    </>
  );
}

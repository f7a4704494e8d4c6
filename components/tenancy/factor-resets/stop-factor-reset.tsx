"use client";

import { Link2Off, ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { OutcomeScreen } from "@/components/access/sign-in/outcome-screen";
import { useCleanUrl } from "@/components/access/sign-in/use-clean-url";
import { publicCall } from "@/components/api/public-call";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";

export interface StopFactorResetProps {
  /** Token from the mailed link. Opening the link changes nothing; the button does. */
  token?: string;
}

export function StopFactorReset(props: StopFactorResetProps) {
  const t = useTranslations("auth.stopReset");
  useCleanUrl(Boolean(props.token));
  // Keep the token: the URL is cleaned right after the first render.
  const [token] = useState(props.token);
  const [outcome, setOutcome] = useState<"dead" | "done" | undefined>(token ? undefined : "dead");
  const form = useOperationForm(null, {
    defaultValues: {},
    submit: () => publicCall.factorResets.stop.mutate({ body: { token: token! } }),
    showsSuccessToast: false,
    onSuccess: () => setOutcome("done"),
    onError: ({ status }) => {
      if (status !== 400) return false;
      setOutcome("dead");
      return true;
    },
  });
  if (outcome === "dead")
    return (
      <OutcomeScreen
        icon={<Link2Off />}
        tone="warning"
        title={t("deadTitle")}
        text={t("deadText")}
        focusOnMount={Boolean(token)}
      />
    );
  if (outcome === "done")
    return (
      <OutcomeScreen
        icon={<ShieldCheck />}
        tone="success"
        title={t("doneTitle")}
        text={t("doneText")}
        focusOnMount
      >
        <LinkButton block variant="primary" href="/sign-in">
          {t("doneAction")}
        </LinkButton>
      </OutcomeScreen>
    );
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <OperationForm form={form}>
        <SubmitButton block>{t("submit")}</SubmitButton>
      </OperationForm>
    </>
  );
}

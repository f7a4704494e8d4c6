"use client";

import { Link2Off, ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Outcome } from "@/components/access/sign-in/outcome";
import { useCleanUrl } from "@/components/access/sign-in/use-clean-url";
import { publicCall } from "@/components/api/call";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";

export interface StopLinkProps {
  /** Token from the mailed link. Opening the link changes nothing; the button does. */
  token?: string;
}

/** Page of the mailed link that stops a reset of second factors. */
export function StopLink(props: StopLinkProps) {
  const t = useTranslations("auth.stopReset");
  useCleanUrl(Boolean(props.token));
  // Keep the token: the URL is cleaned right after the first render.
  const [token] = useState(props.token);
  const [outcome, setOutcome] = useState<"dead" | "done" | undefined>(token ? undefined : "dead");
  const form = useOperationForm(null, {
    defaultValues: {},
    submit: () => publicCall.factorResets.stop.mutate({ body: { token: token! } }),
    success: false,
    onSuccess: () => setOutcome("done"),
    onError: ({ status }) => {
      if (status !== 400) return false;
      setOutcome("dead");
      return true;
    },
  });
  if (outcome === "dead")
    return (
      <Outcome
        icon={<Link2Off />}
        tone="warning"
        title={t("deadTitle")}
        text={t("deadText")}
        appeared={Boolean(token)}
      />
    );
  if (outcome === "done")
    return (
      <Outcome icon={<ShieldCheck />} tone="success" title={t("doneTitle")} text={t("doneText")} appeared>
        <LinkButton block variant="primary" href="/sign-in">
          {t("doneAction")}
        </LinkButton>
      </Outcome>
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

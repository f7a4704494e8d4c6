"use client";

import { Link2Off, ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Outcome } from "@/components/access/sign-in/outcome";
import { useCleanAddress } from "@/components/access/sign-in/use-clean-address";
import { publicCall } from "@/components/api/call";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";

export interface StopLinkProps {
  /** From the mailed link. Opening it stops nothing; only the button does. */
  token?: string;
}

/** The button behind the link that the owner of an account gets when a reset of the second factor is asked for. */
export function StopLink(given: StopLinkProps) {
  const t = useTranslations("auth.stopReset");
  useCleanAddress(Boolean(given.token));
  // Kept from the first render, because the address bar is cleaned at once.
  const [token] = useState(given.token);
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

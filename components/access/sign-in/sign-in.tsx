"use client";

import { UserRoundX } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { EmailVerified } from "@/components/access/verification/email-verified";
import { WaitForMail } from "@/components/access/verification/wait-for-mail";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import type { LastSignInMethod } from "@/server/domains/access/sign-in/policy";
import type { ClosedGate } from "./closed-gate";
import { ContactCard } from "./contact-card";
import type { DemoAccount } from "./demo-accounts";
import { OutcomeScreen } from "./outcome-screen";
import { PortalLocked } from "./portal-locked";
import { SecondStep } from "./second-step";
import { SignInForm } from "./sign-in-form";
import { loadPendingSignIn, type PendingSignIn, storePendingSignIn } from "./tab-storage";
import { useOpenPanel } from "./use-open-panel";

export interface SignInProps {
  next?: string;
  demoAccounts: readonly DemoAccount[];
  demo: boolean;
  providerButtons?: ReactNode;
  providerOutcome?: ProviderOutcome;
  lastMethod?: LastSignInMethod;
}

export interface ProviderOutcome {
  closedGate?: ClosedGate;
  pendingSignIn?: PendingSignIn;
  notice?: string;
}

export function SignIn({
  next,
  demoAccounts,
  demo,
  providerButtons,
  providerOutcome,
  lastMethod,
}: SignInProps) {
  const t = useTranslations("auth");
  const [closedGate, setClosedGate] = useState(providerOutcome?.closedGate);
  const [pendingSignIn, setPendingSignIn] = useState(providerOutcome?.pendingSignIn);
  const [notice, setNotice] = useState(providerOutcome?.notice);
  const [isVerified, setIsVerified] = useState(false);
  const openPanel = useOpenPanel(next);

  useEffect(() => setPendingSignIn((current) => current ?? loadPendingSignIn()), []);

  function startSecondStep(step: PendingSignIn) {
    storePendingSignIn(step);
    setPendingSignIn(step);
  }

  function showClosedGate(gate: ClosedGate) {
    storePendingSignIn(undefined);
    setClosedGate(gate);
  }

  function restart(reason?: string) {
    storePendingSignIn(undefined);
    setClosedGate(undefined);
    setPendingSignIn(undefined);
    setNotice(reason);
  }

  const backButton = (
    <Button block variant="ghost" onClick={() => restart()}>
      {t("otherAccount")}
    </Button>
  );

  if (isVerified) return <EmailVerified onContinue={() => setIsVerified(false)} />;
  if (closedGate?.kind === "disabled")
    return (
      <OutcomeScreen
        icon={<UserRoundX />}
        tone="warning"
        title={t("disabled.title")}
        text={closedGate.contact.message}
        focusOnMount
      >
        <ContactCard contact={closedGate.contact} />
        {backButton}
      </OutcomeScreen>
    );
  if (closedGate?.kind === "portal") return <PortalLocked url={closedGate.url}>{backButton}</PortalLocked>;
  if (closedGate?.kind === "unverified")
    return (
      <WaitForMail
        email={closedGate.email}
        title={t("verify.unverifiedTitle")}
        text={closedGate.text}
        demo={demo}
        focusOnMount
        onVerified={() => {
          restart();
          setIsVerified(true);
        }}
      >
        {backButton}
      </WaitForMail>
    );
  if (pendingSignIn)
    return (
      <SecondStep
        pendingSignIn={pendingSignIn}
        openPanel={openPanel}
        onClosedGate={showClosedGate}
        onExpired={restart}
      >
        {backButton}
      </SecondStep>
    );
  return (
    <>
      <PageHeader title={t("signIn.title")} description={t("signIn.text")} />
      <SignInForm
        openPanel={openPanel}
        demoAccounts={demoAccounts}
        notice={notice}
        providerButtons={providerButtons}
        lastMethod={lastMethod}
        onClosedGate={showClosedGate}
        onSecondStep={startSecondStep}
      />
    </>
  );
}

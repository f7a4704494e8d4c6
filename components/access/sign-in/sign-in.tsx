"use client";

import { UserRoundX } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { Verified } from "@/components/access/verification/verified";
import { WaitForMail } from "@/components/access/verification/wait-for-mail";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import type { LastMethod } from "@/server/domains/access/sign-in/policy";
import type { ClosedGate } from "./closed-gate";
import { ContactCard } from "./contact-card";
import type { DemoAccount } from "./demo-accounts";
import { Outcome } from "./outcome";
import { PortalLocked } from "./portal-locked";
import { SecondStep } from "./second-step";
import { SignInForm } from "./sign-in-form";
import { loadPendingSignIn, type PendingSignIn, storePendingSignIn } from "./tab-storage";
import { useOpenPanel } from "./use-open-panel";

export interface SignInProps {
  next?: string;
  accounts: readonly DemoAccount[];
  demo: boolean;
  ways?: ReactNode;
  arrival?: ProviderOutcome;
  last?: LastMethod;
}

export interface ProviderOutcome {
  closedGate?: ClosedGate;
  waiting?: PendingSignIn;
  notice?: string;
}

export function SignIn({ next, accounts, demo, ways, arrival, last }: SignInProps) {
  const t = useTranslations("auth");
  const [closedGate, setClosedGate] = useState(arrival?.closedGate);
  const [waiting, setWaiting] = useState(arrival?.waiting);
  const [notice, setNotice] = useState(arrival?.notice);
  const [verified, setVerified] = useState(false);
  const enter = useOpenPanel(next);

  // Restore the second step after a reload or a return to the page.
  useEffect(() => setWaiting((now) => now ?? loadPendingSignIn()), []);

  function startSecondStep(step: PendingSignIn) {
    storePendingSignIn(step);
    setWaiting(step);
  }

  function close(gate: ClosedGate) {
    storePendingSignIn(undefined);
    setClosedGate(gate);
  }

  function restart(reason?: string) {
    storePendingSignIn(undefined);
    setClosedGate(undefined);
    setWaiting(undefined);
    setNotice(reason);
  }

  const back = (
    <Button block variant="ghost" onClick={() => restart()}>
      {t("otherAccount")}
    </Button>
  );

  if (verified) return <Verified onContinue={() => setVerified(false)} />;
  if (closedGate?.kind === "disabled")
    return (
      <Outcome
        icon={<UserRoundX />}
        tone="warning"
        title={t("disabled.title")}
        text={closedGate.contact.message}
        appeared
      >
        <ContactCard contact={closedGate.contact} />
        {back}
      </Outcome>
    );
  if (closedGate?.kind === "portal") return <PortalLocked url={closedGate.url}>{back}</PortalLocked>;
  if (closedGate?.kind === "unverified")
    return (
      <WaitForMail
        email={closedGate.email}
        title={t("verify.unverifiedTitle")}
        text={closedGate.text}
        demo={demo}
        appeared
        onVerified={() => {
          restart();
          setVerified(true);
        }}
      >
        {back}
      </WaitForMail>
    );
  if (waiting)
    return (
      <SecondStep waiting={waiting} enter={enter} onClosedGate={close} onExpired={restart}>
        {back}
      </SecondStep>
    );
  return (
    <>
      <PageHeader title={t("signIn.title")} description={t("signIn.text")} />
      <SignInForm
        enter={enter}
        accounts={accounts}
        notice={notice}
        ways={ways}
        last={last}
        onClosedGate={close}
        onSecondStep={startSecondStep}
      />
    </>
  );
}

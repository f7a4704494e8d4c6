"use client";

import { KeyRound, UserRoundX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmailVerified } from "@/components/access/verification/email-verified";
import { WaitForMail } from "@/components/access/verification/wait-for-mail";
import { LinkButton } from "@/components/ui/link-button";
import type { Output } from "@/server/core/contract";
import type { resetPassword } from "@/server/domains/access/sign-in/contract";
import type { ClosedGate } from "./closed-gate";
import { ContactCard } from "./contact-card";
import { OutcomeScreen } from "./outcome-screen";
import { PortalLocked } from "./portal-locked";
import { SecondStep } from "./second-step";
import { renderStrongAddress } from "./strong-address";
import type { PendingSignIn } from "./tab-storage";
import { useOpenPanel } from "./use-open-panel";

export type UnfinishedSignIn = Extract<Output<typeof resetPassword>, { auto_login: false }>;

export function PasswordChanged({
  result: initialResult,
  demo,
}: {
  result?: UnfinishedSignIn;
  demo: boolean;
}) {
  const t = useTranslations("auth");
  // Cleared when the pending sign-in expires.
  const [result, setResult] = useState(initialResult);
  const [closedGate, setClosedGate] = useState<ClosedGate>();
  const [isVerified, setIsVerified] = useState(false);
  const openPanel = useOpenPanel();
  if (isVerified) return <EmailVerified />;
  const unverifiedEmail = closedGate?.kind === "unverified" ? closedGate.email : getUnverifiedEmail(result);
  if (unverifiedEmail)
    return (
      <WaitForMail
        email={unverifiedEmail}
        title={t("reset.doneTitle")}
        text={t.rich("reset.unverifiedText", { email: unverifiedEmail, b: renderStrongAddress })}
        demo={demo}
        focusOnMount
        onVerified={() => setIsVerified(true)}
      />
    );
  const contact = closedGate?.kind === "disabled" ? closedGate.contact : getContact(result);
  if (contact)
    return (
      <OutcomeScreen
        icon={<UserRoundX />}
        tone="warning"
        title={t("reset.doneTitle")}
        text={contact.message}
        focusOnMount
      >
        <ContactCard contact={contact} />
      </OutcomeScreen>
    );
  const portalUrl = closedGate?.kind === "portal" ? closedGate.url : getPortalUrl(result);
  if (portalUrl) return <PortalLocked url={portalUrl} title={t("reset.doneTitle")} />;
  if (result && "requires_2fa" in result)
    return (
      <SecondStep
        pendingSignIn={toPendingSignIn(result)}
        title={t("reset.doneTitle")}
        openPanel={openPanel}
        onClosedGate={setClosedGate}
        onExpired={() => setResult(undefined)}
      />
    );
  return (
    <OutcomeScreen
      icon={<KeyRound />}
      tone="success"
      title={t("reset.doneTitle")}
      text={t("reset.doneText")}
      focusOnMount
    >
      <LinkButton block variant="primary" href="/sign-in">
        {t("signIn.submit")}
      </LinkButton>
    </OutcomeScreen>
  );
}

const getUnverifiedEmail = (result?: UnfinishedSignIn) =>
  result && "requires_verification" in result ? result.email : undefined;

const getPortalUrl = (result?: UnfinishedSignIn) =>
  result && "portal_locked" in result ? result.portal_url : undefined;

const getContact = (result?: UnfinishedSignIn) =>
  result && "account_disabled" in result ? result.contact : undefined;

function toPendingSignIn(result: Extract<UnfinishedSignIn, { requires_2fa: true }>): PendingSignIn {
  const methods = new Set([result.method]);
  if (result.has_totp) methods.add("totp");
  if (result.has_email_fallback) methods.add("email");
  return { token: result.interim_token, methods: [...methods] };
}

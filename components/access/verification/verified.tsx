"use client";

import { MailCheck, UserX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Outcome } from "@/components/access/sign-in/outcome";
import { strong } from "@/components/access/sign-in/strong";
import { endSession } from "@/components/api/session";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";

export interface VerifiedProps {
  /** The person signed in in this browser, if any, after the confirmation. */
  signedIn?: { email: string; verified: boolean };
  /** The same link or code confirmed it before. */
  repeated?: boolean;
  /** Continues in place, where the sign-in form is one step back. */
  onContinue?: () => void;
}

/** The address is confirmed. */
export function Verified({ signedIn, repeated, onContinue }: VerifiedProps) {
  const t = useTranslations("auth");
  // The link may have been opened where someone else is signed in: that account is still unconfirmed.
  if (signedIn && !signedIn.verified) return <Foreign email={signedIn.email} />;
  return (
    <Outcome
      icon={<MailCheck />}
      tone="success"
      title={t(repeated ? "verify.alreadyTitle" : "verify.doneTitle")}
      text={t(repeated ? "verify.againText" : "verify.doneText")}
      appeared
    >
      {onContinue ? (
        <Button block variant="primary" onClick={onContinue}>
          {t("signIn.submit")}
        </Button>
      ) : signedIn ? (
        <LinkButton block variant="primary" href="/dashboard">
          {t("verify.toDashboard")}
        </LinkButton>
      ) : (
        <LinkButton block variant="primary" href="/sign-in">
          {t("signIn.submit")}
        </LinkButton>
      )}
    </Outcome>
  );
}

function Foreign({ email }: { email: string }) {
  const t = useTranslations();
  const [leaving, setLeaving] = useState(false);
  return (
    <Outcome
      icon={<UserX />}
      tone="warning"
      title={t("auth.verify.foreignTitle")}
      text={t.rich("auth.verify.foreignText", { email, b: strong })}
      appeared
    >
      <Button
        block
        variant="primary"
        working={leaving}
        onClick={() => {
          setLeaving(true);
          endSession().catch(() => setLeaving(false));
        }}
      >
        {t("shell.signOut")}
      </Button>
      <LinkButton block href="/dashboard">
        {t("auth.verify.toDashboard")}
      </LinkButton>
    </Outcome>
  );
}

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
  signedIn?: { email: string; verified: boolean };
  repeated?: boolean;
  onContinue?: () => void;
}

export function Verified({ signedIn, repeated, onContinue }: VerifiedProps) {
  const t = useTranslations("auth");
  // The link may belong to another account than the one signed in here.
  if (signedIn && !signedIn.verified) return <OtherAccount email={signedIn.email} />;
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

function OtherAccount({ email }: { email: string }) {
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

"use client";

import { MailCheck, UserX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { OutcomeScreen } from "@/components/access/sign-in/outcome-screen";
import { renderStrongAddress } from "@/components/access/sign-in/strong-address";
import { endSession } from "@/components/api/session";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";

export interface EmailVerifiedProps {
  signedInAccount?: { email: string; verified: boolean };
  isLinkReused?: boolean;
  onContinue?: () => void;
}

export function EmailVerified({ signedInAccount, isLinkReused, onContinue }: EmailVerifiedProps) {
  const t = useTranslations("auth");
  // The link may belong to another account than the one signed in here.
  if (signedInAccount && !signedInAccount.verified) return <OtherAccount email={signedInAccount.email} />;
  return (
    <OutcomeScreen
      icon={<MailCheck />}
      tone="success"
      title={t(isLinkReused ? "verify.alreadyTitle" : "verify.doneTitle")}
      text={t(isLinkReused ? "verify.againText" : "verify.doneText")}
      focusOnMount
    >
      {onContinue ? (
        <Button block variant="primary" onClick={onContinue}>
          {t("signIn.submit")}
        </Button>
      ) : signedInAccount ? (
        <LinkButton block variant="primary" href="/dashboard">
          {t("verify.toDashboard")}
        </LinkButton>
      ) : (
        <LinkButton block variant="primary" href="/sign-in">
          {t("signIn.submit")}
        </LinkButton>
      )}
    </OutcomeScreen>
  );
}

function OtherAccount({ email }: { email: string }) {
  const t = useTranslations();
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <OutcomeScreen
      icon={<UserX />}
      tone="warning"
      title={t("auth.verify.foreignTitle")}
      text={t.rich("auth.verify.foreignText", { email, b: renderStrongAddress })}
      focusOnMount
    >
      <Button
        block
        variant="primary"
        working={isLeaving}
        onClick={() => {
          setIsLeaving(true);
          endSession().catch(() => setIsLeaving(false));
        }}
      >
        {t("shell.signOut")}
      </Button>
      <LinkButton block href="/dashboard">
        {t("auth.verify.toDashboard")}
      </LinkButton>
    </OutcomeScreen>
  );
}

"use client";

import { Mail } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ResendButton } from "@/components/access/verification/resend-button";
import { publicCall } from "@/components/api/call";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { RESET_MINUTES } from "@/server/domains/access/sign-in/policy";
import { EmailForm } from "./email-form";
import { MailShortcut } from "./mail-shortcut";
import { Outcome } from "./outcome";
import { strong } from "./strong";
import { takePassedEmail } from "./tab-storage";

/** Requests a reset link. Shows the same screen for every address. */
export function ForgotPassword({ demo }: { demo: boolean }) {
  const t = useTranslations("auth.forgot");
  const [sentTo, setSentTo] = useState<string>();
  const [email, setEmail] = useState<string>();
  useEffect(() => {
    const typed = takePassedEmail();
    if (typed) setEmail(typed);
  }, []);
  if (sentTo) return <LinkSent email={sentTo} demo={demo} onOther={() => setSentTo(undefined)} />;
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <RequestLink key={email} email={email} onSent={setSentTo} />
    </>
  );
}

export function RequestLink({ email, onSent }: { email?: string; onSent: (email: string) => void }) {
  const t = useTranslations("auth.forgot");
  return (
    <EmailForm
      operation={() => import("@/server/domains/access/sign-in/contract").then((file) => file.forgotPassword)}
      email={email}
      label={t("submit")}
      send={(address) => publicCall.signIn.forgotPassword.mutate({ body: { email: address } })}
      onSent={onSent}
    />
  );
}

export interface LinkSentProps {
  email: string;
  demo: boolean;
  onOther: () => void;
}

export function LinkSent({ email, demo, onOther }: LinkSentProps) {
  const t = useTranslations("auth.forgot");
  return (
    <Outcome
      icon={<Mail />}
      tone="info"
      title={t("sentTitle")}
      text={t.rich("sentText", { email, minutes: RESET_MINUTES, b: strong })}
      appeared
    >
      <div className="flex flex-col gap-3">
        <MailShortcut email={email} demo={demo} />
        <ResendButton justSent send={() => publicCall.signIn.forgotPassword.mutate({ body: { email } })} />
        <Button block variant="ghost" onClick={onOther}>
          {t("otherEmail")}
        </Button>
      </div>
    </Outcome>
  );
}

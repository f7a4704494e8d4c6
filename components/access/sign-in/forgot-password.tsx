"use client";

import { Mail } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ResendButton } from "@/components/access/verification/resend-button";
import { publicCall } from "@/components/api/public-call";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { RESET_LINK_MINUTES } from "@/server/domains/access/sign-in/policy";
import { EmailForm } from "./email-form";
import { MailShortcut } from "./mail-shortcut";
import { OutcomeScreen } from "./outcome-screen";
import { renderStrongAddress } from "./strong-address";
import { readTypedEmail, storeTypedEmail } from "./tab-storage";

/** Shows the same screen for every address, so that it does not reveal accounts. */
export function ForgotPassword({ demo }: { demo: boolean }) {
  const t = useTranslations("auth.forgot");
  const [sentAddress, setSentAddress] = useState<string>();
  const [email, setEmail] = useState<string>();
  useEffect(() => {
    const typedEmail = readTypedEmail();
    if (typedEmail) setEmail(typedEmail);
  }, []);
  if (sentAddress)
    return <LinkSentScreen email={sentAddress} demo={demo} onOtherEmail={() => setSentAddress(undefined)} />;
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <RequestLinkForm key={email} email={email} onSent={setSentAddress} />
    </>
  );
}

export function RequestLinkForm({ email, onSent }: { email?: string; onSent: (email: string) => void }) {
  const t = useTranslations("auth.forgot");
  return (
    <EmailForm
      operation={() => import("@/server/domains/access/sign-in/contract").then((file) => file.forgotPassword)}
      email={email}
      submitLabel={t("submit")}
      requestMail={(address) => publicCall.signIn.forgotPassword.mutate({ body: { email: address } })}
      onSent={(address) => {
        storeTypedEmail(address);
        onSent(address);
      }}
    />
  );
}

export interface LinkSentScreenProps {
  email: string;
  demo: boolean;
  onOtherEmail: () => void;
}

export function LinkSentScreen({ email, demo, onOtherEmail }: LinkSentScreenProps) {
  const t = useTranslations("auth.forgot");
  return (
    <OutcomeScreen
      icon={<Mail />}
      tone="info"
      title={t("sentTitle")}
      text={t.rich("sentText", { email, minutes: RESET_LINK_MINUTES, b: renderStrongAddress })}
      focusOnMount
    >
      <div className="flex flex-col gap-3">
        <MailShortcut email={email} demo={demo} />
        <ResendButton justSent send={() => publicCall.signIn.forgotPassword.mutate({ body: { email } })} />
        <Button block variant="ghost" onClick={onOtherEmail}>
          {t("otherEmail")}
        </Button>
      </div>
    </OutcomeScreen>
  );
}

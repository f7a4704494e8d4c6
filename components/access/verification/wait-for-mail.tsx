"use client";

import { Mail } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { MailShortcut } from "@/components/access/sign-in/mail-shortcut";
import { OutcomeScreen } from "@/components/access/sign-in/outcome-screen";
import { publicCall } from "@/components/api/public-call";
import { CodeForm } from "./code-form";
import { ResendButton } from "./resend-button";

export interface WaitForMailProps {
  email: string;
  title: ReactNode;
  text: ReactNode;
  demo: boolean;
  focusOnMount?: boolean;
  justSent?: boolean;
  onVerified: () => void;
  /** Called if the link or code was used before. Default: `onVerified`. */
  onLinkReused?: () => void;
  children?: ReactNode;
}

export function WaitForMail({
  email,
  demo,
  justSent,
  onVerified,
  onLinkReused,
  children,
  ...outcomeProps
}: WaitForMailProps) {
  const t = useTranslations("auth.verify");
  return (
    <OutcomeScreen icon={<Mail />} tone="info" {...outcomeProps}>
      <CodeForm email={email} onVerified={onVerified} onLinkReused={onLinkReused} />
      <div className="flex flex-col gap-3 border-border border-t pt-5">
        <p className="text-fg-muted text-sm">{t("notArrived")}</p>
        <MailShortcut email={email} demo={demo} />
        <ResendButton
          justSent={justSent}
          send={() => publicCall.verification.resend.mutate({ body: { email } })}
        />
      </div>
      {children}
    </OutcomeScreen>
  );
}

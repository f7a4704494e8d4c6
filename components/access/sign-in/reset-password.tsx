"use client";

import { Link2Off } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { RESET_LINK_MINUTES } from "@/server/domains/access/sign-in/policy";
import { LinkSentScreen, RequestLinkForm } from "./forgot-password";
import { OutcomeScreen } from "./outcome-screen";
import { PasswordChanged, type UnfinishedSignIn } from "./password-changed";
import { ResetForm } from "./reset-form";
import { useCleanUrl } from "./use-clean-url";

export interface ResetPasswordProps {
  token?: string;
  /** Account of the link; undefined for an invalid link. */
  email?: string;
  demo: boolean;
}

type Phase =
  | { at: "form" | "linkInvalid" }
  | { at: "sent"; email: string }
  | { at: "changed"; result?: UnfinishedSignIn };

export function ResetPassword(props: ResetPasswordProps) {
  const t = useTranslations("auth.reset");
  useCleanUrl(Boolean(props.token));
  const [{ token, email }] = useState(props);
  const [phase, setPhase] = useState<Phase>({ at: token && email ? "form" : "linkInvalid" });

  if (phase.at === "changed") return <PasswordChanged result={phase.result} demo={props.demo} />;
  if (phase.at === "sent")
    return (
      <LinkSentScreen
        email={phase.email}
        demo={props.demo}
        onOtherEmail={() => setPhase({ at: "linkInvalid" })}
      />
    );
  if (phase.at === "form" && token && email)
    return (
      <ResetForm
        token={token}
        email={email}
        onChanged={(result) => setPhase({ at: "changed", result })}
        onInvalidLink={() => setPhase({ at: "linkInvalid" })}
      />
    );
  return (
    <OutcomeScreen
      icon={<Link2Off />}
      tone="warning"
      title={t("deadTitle")}
      text={t("deadText", { minutes: RESET_LINK_MINUTES })}
      focusOnMount={Boolean(token)}
    >
      <RequestLinkForm email={email} onSent={(address) => setPhase({ at: "sent", email: address })} />
    </OutcomeScreen>
  );
}

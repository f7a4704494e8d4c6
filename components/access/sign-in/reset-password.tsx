"use client";

import { Link2Off } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { RESET_MINUTES } from "@/server/domains/access/sign-in/policy";
import { LinkSent, RequestLink } from "./forgot-password";
import { Outcome } from "./outcome";
import { PasswordChanged, type Refused } from "./password-changed";
import { ResetForm } from "./reset-form";
import { useCleanAddress } from "./use-clean-address";

export interface ResetPasswordProps {
  /** From the mailed link. */
  token?: string;
  /** Whose password it may set; undefined for a dead link. */
  email?: string;
  demo: boolean;
}

type Phase = { at: "form" | "dead" } | { at: "sent"; email: string } | { at: "changed"; result?: Refused };

/** Chooses a new password with a mailed link; each outcome has its own screen. */
export function ResetPassword(given: ResetPasswordProps) {
  const t = useTranslations("auth.reset");
  useCleanAddress(Boolean(given.token));
  // Kept from the first render, because the address bar is cleaned at once.
  const [{ token, email }] = useState(given);
  const [phase, setPhase] = useState<Phase>({ at: token && email ? "form" : "dead" });

  if (phase.at === "changed") return <PasswordChanged result={phase.result} demo={given.demo} />;
  if (phase.at === "sent")
    return <LinkSent email={phase.email} demo={given.demo} onOther={() => setPhase({ at: "dead" })} />;
  if (phase.at === "form" && token && email)
    return (
      <ResetForm
        token={token}
        email={email}
        onChanged={(result) => setPhase({ at: "changed", result })}
        onDead={() => setPhase({ at: "dead" })}
      />
    );
  return (
    <Outcome
      icon={<Link2Off />}
      tone="warning"
      title={t("deadTitle")}
      text={t("deadText", { minutes: RESET_MINUTES })}
      appeared={Boolean(token)}
    >
      <RequestLink email={email} onSent={(address) => setPhase({ at: "sent", email: address })} />
    </Outcome>
  );
}

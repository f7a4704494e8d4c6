"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { FormAlert } from "@/components/ui/form-alert";
import { toast } from "@/components/ui/toast";

/** Seconds between two mails. */
const PAUSE = 60;

export interface ResendButtonProps {
  /** Sends the mail again; its message is shown. */
  send: () => Promise<{ message: string }>;
  /** A mail has just been sent, so the countdown starts at once. */
  justSent?: boolean;
  /** Replaces "send the e-mail again". */
  label?: string;
  /** Next to text, as in a banner: a small button, whose message is a toast and not an alert above it. */
  inline?: boolean;
}

/**
 * Sends a mail or text message again, at most once a minute; after too many tries it shows the server's waiting time.
 */
export function ResendButton({ send, justSent = false, label, inline = false }: ResendButtonProps) {
  const t = useTranslations();
  const [until, setUntil] = useState(() => (justSent ? Date.now() + PAUSE * 1000 : undefined));
  const [notice, setNotice] = useState<{ tone: "success" | "danger"; text: string }>();

  function tell(tone: "success" | "danger", text: string) {
    if (inline) toast[tone](text);
    else setNotice({ tone, text });
  }

  const again = useAction(send, {
    success: false,
    onSuccess: ({ message }) => {
      setUntil(Date.now() + PAUSE * 1000);
      tell("success", message);
    },
    onError: ({ status, retryAfter = PAUSE }) => {
      if (status === 429) setUntil(Date.now() + retryAfter * 1000);
    },
  });

  async function press() {
    if (until || again.working) return;
    setNotice(undefined);
    const problem = await again.attempt();
    if (problem) tell("danger", problem);
  }

  return (
    <>
      {notice ? (
        <FormAlert live tone={notice.tone}>
          {notice.text}
        </FormAlert>
      ) : null}
      <Button
        block={!inline}
        size={inline ? "sm" : "md"}
        working={again.working}
        aria-disabled={until ? true : undefined}
        onClick={press}
      >
        {until ? (
          <span>
            {/* Pages with an inline button need not load the `auth` messages. */}
            <span>{t(inline ? "ui.form.wait" : "auth.resendWait")}</span>{" "}
            <Countdown until={until} onEnd={() => setUntil(undefined)} />
          </span>
        ) : (
          (label ?? t("auth.resend"))
        )}
      </Button>
    </>
  );
}

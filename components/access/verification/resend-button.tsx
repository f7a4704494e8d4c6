"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { FormAlert } from "@/components/ui/form-alert";
import { toast } from "@/components/ui/toast";

/** Seconds. */
const PAUSE = 60;

export interface ResendButtonProps {
  /** Sends the mail; its message is shown. */
  send: () => Promise<{ message: string }>;
  /** Starts with the countdown, because a mail was just sent. */
  justSent?: boolean;
  /** Default is "send the e-mail again". */
  label?: string;
  /** Small button next to text; shows messages as toasts. */
  inline?: boolean;
}

/**
 * Sends a mail or text message again, at most once a minute. Beyond the server's limit it shows the server's
 * waiting time.
 */
export function ResendButton({ send, justSent = false, label, inline = false }: ResendButtonProps) {
  const t = useTranslations();
  const [until, setUntil] = useState(() => (justSent ? Date.now() + PAUSE * 1000 : undefined));
  const [notice, setNotice] = useState<{ tone: "success" | "danger"; text: string }>();

  function show(tone: "success" | "danger", text: string) {
    if (inline) toast[tone](text);
    else setNotice({ tone, text });
  }

  const resend = useAction(send, {
    success: false,
    onSuccess: ({ message }) => {
      setUntil(Date.now() + PAUSE * 1000);
      show("success", message);
    },
    onError: ({ status, retryAfter = PAUSE }) => {
      if (status === 429) setUntil(Date.now() + retryAfter * 1000);
    },
  });

  async function press() {
    if (until || resend.working) return;
    setNotice(undefined);
    const problem = await resend.attempt();
    if (problem) show("danger", problem);
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
        working={resend.working}
        aria-disabled={until ? true : undefined}
        onClick={press}
      >
        {until ? (
          <span>
            {/* Pages with an inline button may not have the `auth` messages. */}
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

"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toFormError } from "@/components/form/form-error";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { FormAlert } from "@/components/ui/form-alert";

/** Seconds between two mails. */
const PAUSE = 60;

export interface ResendButtonProps {
  /** Sends the mail again; its message is shown. */
  send: () => Promise<{ message: string }>;
  /** A mail has just gone out: the clock is running from the start. */
  justSent?: boolean;
  /** Instead of "send the e-mail again". */
  label?: string;
}

/** Sends a mail or a message again, at most once a minute; after too many tries it shows the server's own clock. */
export function ResendButton({ send, justSent = false, label }: ResendButtonProps) {
  const t = useTranslations();
  const [working, setWorking] = useState(false);
  const [until, setUntil] = useState(() => (justSent ? Date.now() + PAUSE * 1000 : undefined));
  const [notice, setNotice] = useState<{ tone: "success" | "danger"; text: string }>();

  async function press() {
    if (working || until) return;
    setWorking(true);
    setNotice(undefined);
    try {
      const { message } = await send();
      setUntil(Date.now() + PAUSE * 1000);
      setNotice({ tone: "success", text: message });
    } catch (cause) {
      const error = toFormError(cause);
      if (error.status === 429) setUntil(Date.now() + (error.retryAfter ?? PAUSE) * 1000);
      const text = error.message || t(error.status ? "ui.error.unexpected" : "ui.error.network");
      setNotice({ tone: "danger", text });
    }
    setWorking(false);
  }

  return (
    <>
      {notice ? (
        <FormAlert live tone={notice.tone}>
          {notice.text}
        </FormAlert>
      ) : null}
      <Button block working={working} aria-disabled={until ? true : undefined} onClick={press}>
        {until ? (
          <span>
            {t("auth.resend_wait")} <Countdown until={until} onEnd={() => setUntil(undefined)} />
          </span>
        ) : (
          (label ?? t("auth.resend"))
        )}
      </Button>
    </>
  );
}

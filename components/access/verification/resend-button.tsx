"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { FormAlert } from "@/components/ui/form-alert";
import { toast } from "@/components/ui/toast";

/** Same as CODES_PER_MINUTE_COUNTER of the server. */
const RESEND_PAUSE_SECONDS = 60;

export interface ResendButtonProps {
  send: () => Promise<{ message: string }>;
  /** Starts with the pause, because a mail or text message was sent just now. */
  justSent?: boolean;
  label?: string;
  /** Small button next to text; shows messages as toasts. */
  inline?: boolean;
}

/** Resends at most once a minute. On 429 it shows the waiting time that the server returned. */
export function ResendButton({ send, justSent = false, label, inline = false }: ResendButtonProps) {
  const t = useTranslations();
  const [retryAt, setRetryAt] = useState(() =>
    justSent ? Date.now() + RESEND_PAUSE_SECONDS * 1000 : undefined,
  );
  const [notice, setNotice] = useState<{ tone: "success" | "danger"; text: string }>();

  function showNotice(tone: "success" | "danger", text: string) {
    if (inline) toast[tone](text);
    else setNotice({ tone, text });
  }

  const resendAction = useAction(send, {
    successText: false,
    onSuccess: ({ message }) => {
      setRetryAt(Date.now() + RESEND_PAUSE_SECONDS * 1000);
      showNotice("success", message);
    },
    onError: ({ status, retryAfter = RESEND_PAUSE_SECONDS }) => {
      if (status === 429) setRetryAt(Date.now() + retryAfter * 1000);
    },
  });

  async function handleClick() {
    if (retryAt || resendAction.isPending) return;
    setNotice(undefined);
    const problem = await resendAction.attempt();
    if (problem) showNotice("danger", problem);
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
        working={resendAction.isPending}
        aria-disabled={retryAt ? true : undefined}
        onClick={handleClick}
      >
        {retryAt ? (
          <span>
            {/* Pages with an inline button may not have the `auth` messages. */}
            <span>{t(inline ? "ui.form.wait" : "auth.resendWait")}</span>{" "}
            <Countdown until={retryAt} onEnd={() => setRetryAt(undefined)} />
          </span>
        ) : (
          (label ?? t("auth.resend"))
        )}
      </Button>
    </>
  );
}

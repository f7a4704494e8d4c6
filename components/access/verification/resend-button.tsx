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
  send: () => Promise<{ message: string }>;
  justSent?: boolean;
  label?: string;
  /** Small button next to text; shows messages as toasts. */
  inline?: boolean;
}

/** Resends at most once a minute; beyond the server's limit it shows the server's waiting time. */
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

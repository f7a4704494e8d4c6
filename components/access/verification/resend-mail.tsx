"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { toFormError } from "@/components/form/form-error";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { toast } from "@/components/ui/toast";

/** Seconds until another mail makes sense. */
const PAUSE = 60;

/** Sends the verification mail again, then waits a minute. */
export function ResendButton({ email }: { email: string }) {
  const t = useTranslations();
  const [until, setUntil] = useState<number>();
  const resend = api.verification.resend.useMutation({
    onSuccess: ({ message }) => {
      toast.success(message);
      setUntil(Date.now() + PAUSE * 1000);
    },
    onError: (error) => {
      const { message, retryAfter } = toFormError(error);
      toast.danger(message || t("ui.error.network"));
      if (retryAfter) setUntil(Date.now() + retryAfter * 1000);
    },
  });
  if (until) {
    return (
      <span className="text-fg-muted text-sm">
        {t("ui.form.wait")} <Countdown until={until} onEnd={() => setUntil(undefined)} />
      </span>
    );
  }
  return (
    <Button size="sm" working={resend.isPending} onClick={() => resend.mutate({ body: { email } })}>
      {t("settings.mail.resend")}
    </Button>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { toFormError } from "@/components/form/form-error";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FormAlert } from "@/components/ui/form-alert";
import { ConfirmForm } from "./confirm-form";
import type { DeletionForecast } from "./deletion-card";

export interface DeletionDialogProps {
  forecast: DeletionForecast;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The final confirmation: a typed word soon after the sign-in, a mailed code later or by choice. */
export function DeletionDialog({ forecast, open, onOpenChange }: DeletionDialogProps) {
  const t = useTranslations("deletion");
  const { summary, word_accepted: wordAccepted, masked_email: email } = forecast;
  const [byMail, setByMail] = useState(!wordAccepted);
  const { sent, send, pending, problem } = useCode();
  const named = { email: () => <Ltr>{email}</Ltr> };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("dialog")} description={t(forecast.mode)}>
      <div className="flex flex-col gap-5">
        {summary.sites + summary.agents > 0 ? (
          <FormAlert tone="warning">
            {summary.sites > 0 ? <p>{t("sites", { count: summary.sites })}</p> : null}
            {summary.agents > 0 ? <p>{t("agents", { count: summary.agents })}</p> : null}
          </FormAlert>
        ) : null}
        {problem ? <FormAlert live>{problem}</FormAlert> : null}
        {byMail && !sent ? (
          <>
            <p className="text-sm">{t.rich("sendText", named)}</p>
            <Button variant="primary" block working={pending} onClick={send}>
              {t("send")}
            </Button>
          </>
        ) : (
          <>
            {byMail ? <p className="text-sm">{t.rich("sent", named)}</p> : null}
            <ConfirmForm
              key={byMail ? "code" : "word"}
              by={byMail ? "code" : "word"}
              word={forecast.words[0]!}
            />
            {byMail ? (
              <Button block working={pending} onClick={send}>
                {t("resend")}
              </Button>
            ) : (
              <Button block onClick={() => setByMail(true)}>
                {t("byMail")}
              </Button>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

function useCode() {
  const t = useTranslations("ui.error");
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState<string>();
  const request = api.accountDeletion.request.useMutation({
    onMutate: () => setProblem(undefined),
    onSuccess: () => setSent(true),
    onError: (error) => setProblem(toFormError(error).message || t("network")),
  });
  return { sent, problem, pending: request.isPending, send: () => request.mutate({}) };
}

"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FormAlert } from "@/components/ui/form-alert";
import { ConfirmForm } from "./confirm-form";
import type { DeletionForecast } from "./types";

export interface DeletionDialogProps {
  forecast: DeletionForecast;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Confirms by a typed word after a recent sign-in, otherwise by a mailed code. */
export function DeletionDialog({ forecast, open, onOpenChange }: DeletionDialogProps) {
  const t = useTranslations("deletion");
  const { summary, word_accepted: isWordAccepted, masked_email: email } = forecast;
  const [isByMail, setIsByMail] = useState(!isWordAccepted);
  const [isSent, setIsSent] = useState(false);
  const send = useAction(() => call.accountDeletion.request.mutate({}), {
    success: false,
    onSuccess: () => setIsSent(true),
  });
  const emailValue = { email: () => <Ltr>{email}</Ltr> };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("dialog")} description={t(forecast.mode)}>
      <div className="flex flex-col gap-5">
        {summary.sites + summary.agents > 0 ? (
          <FormAlert tone="warning">
            {summary.sites > 0 ? <p>{t("sites", { count: summary.sites })}</p> : null}
            {summary.agents > 0 ? <p>{t("agents", { count: summary.agents })}</p> : null}
          </FormAlert>
        ) : null}
        {send.problem ? <FormAlert live>{send.problem}</FormAlert> : null}
        {isByMail && !isSent ? (
          <>
            <p className="text-sm">{t.rich("sendText", emailValue)}</p>
            <Button variant="primary" block working={send.isPending} onClick={send.attempt}>
              {t("send")}
            </Button>
          </>
        ) : (
          <>
            {isByMail ? <p className="text-sm">{t.rich("sent", emailValue)}</p> : null}
            <ConfirmForm
              key={isByMail ? "code" : "word"}
              method={isByMail ? "code" : "word"}
              word={forecast.words[0]!}
            />
            {isByMail ? (
              <Button block working={send.isPending} onClick={send.attempt}>
                {t("resend")}
              </Button>
            ) : (
              <Button block onClick={() => setIsByMail(true)}>
                {t("byMail")}
              </Button>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
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
  const [usesMailedCode, setUsesMailedCode] = useState(!isWordAccepted);
  const [isCodeSent, setIsCodeSent] = useState(false);
  const sendCode = useAction(() => call.accountDeletion.request.mutate({}), {
    successText: false,
    onSuccess: () => setIsCodeSent(true),
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
        {sendCode.problem ? <FormAlert live>{sendCode.problem}</FormAlert> : null}
        {usesMailedCode && !isCodeSent ? (
          <>
            <p className="text-sm">{t.rich("sendText", emailValue)}</p>
            <div className="flex flex-wrap justify-end gap-2">
              <DialogClose>
                <Button>{t("cancel")}</Button>
              </DialogClose>
              <Button variant="primary" working={sendCode.isPending} onClick={sendCode.attempt}>
                {t("send")}
              </Button>
            </div>
          </>
        ) : (
          <>
            {usesMailedCode ? <p className="text-sm">{t.rich("sent", emailValue)}</p> : null}
            <ConfirmForm
              key={usesMailedCode ? "code" : "word"}
              method={usesMailedCode ? "code" : "word"}
              word={forecast.words[0]!}
            />
            {usesMailedCode ? (
              <Button variant="ghost" working={sendCode.isPending} onClick={sendCode.attempt}>
                {t("resend")}
              </Button>
            ) : (
              <Button variant="ghost" onClick={() => setUsesMailedCode(true)}>
                {t("byMail")}
              </Button>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { ConfirmCode } from "./confirm-code";

export function SmsStep({ onConfirmed }: { onConfirmed: (recoveryCodes: readonly string[] | null) => void }) {
  const t = useTranslations("security.sms");
  const { prove, proofDialog } = useProofPrompt();
  return (
    <>
      <ConfirmCode
        title={t("setUpTitle")}
        submitLabel={t("confirm")}
        confirm={(body) => prove(t("setUpTitle"), () => call.twoFactor.confirmSms.mutate({ body }))}
        onConfirmed={({ recovery_codes }) => onConfirmed(recovery_codes)}
      />
      {proofDialog}
    </>
  );
}

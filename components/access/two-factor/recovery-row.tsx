"use client";

import { LifeBuoy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { RECOVERY_CODE_COUNT } from "@/server/domains/access/two-factor/policy";
import { FactorRow } from "./factor-row";
import type { SetUpState } from "./use-set-up";

export interface RecoveryRowProps {
  hasTwoFactor: boolean;
  count: number;
  warnAtCount: number;
  setUp: SetUpState;
}

export function RecoveryRow({ hasTwoFactor, count, warnAtCount, setUp }: RecoveryRowProps) {
  const t = useTranslations();
  const { prove, proofDialog } = useProofPrompt();
  const renew = useAction(
    () => prove(t("security.recovery.renew"), () => call.twoFactor.renewRecoveryCodes.mutate()),
    {
      successText: false,
      onSuccess: ({ recovery_codes: codes }) => {
        setUp.show({ kind: "codes", codes });
        return setUp.refetchFactors();
      },
    },
  );

  return (
    <FactorRow
      icon={<LifeBuoy />}
      title={t("security.recovery.title")}
      state={{
        tone: !hasTwoFactor ? "neutral" : count <= warnAtCount ? "warning" : "success",
        label: hasTwoFactor ? t("security.recovery.left", { count }) : t("security.isOff"),
      }}
      action={
        hasTwoFactor ? (
          <AlertDialog
            tone="primary"
            trigger={<Button size="sm">{t("security.recovery.renewShort")}</Button>}
            title={t("security.recovery.renewTitle")}
            description={t("security.recovery.renewText", { count, made: RECOVERY_CODE_COUNT })}
            confirmLabel={t("security.recovery.renew")}
            onConfirm={renew.attempt}
          >
            {proofDialog}
          </AlertDialog>
        ) : null
      }
    >
      {t(hasTwoFactor ? "security.recovery.text" : "security.recovery.later")}
    </FactorRow>
  );
}

"use client";

import { Smartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProven } from "@/components/access/sign-in/identity/use-proven";
import { api } from "@/components/api/client";
import { toFormError } from "@/components/form/form-error";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { FactorRow } from "./factor-row";
import { LastUsed } from "./last-used";
import { RemoveFactor } from "./remove-factor";
import type { FactorMethod } from "./types";
import type { SetUp } from "./use-set-up";

/** Codes of an authenticator app: on, or a button to set it up. */
export function AppRow({ method, last, setUp }: { method: FactorMethod; last: boolean; setUp: SetUp }) {
  const t = useTranslations();
  const { prove, confirmation } = useProven();
  const start = api.twoFactor.startTotp.useMutation();
  const [working, setWorking] = useState(false);

  async function begin() {
    setWorking(true);
    try {
      const begun = await prove(t("security.totp.setUpTitle"), () => start.mutateAsync());
      if (begun) setUp.show({ at: "scan", start: begun });
    } catch (error) {
      toast.danger(toFormError(error).message || t("ui.error.network"));
    }
    setWorking(false);
  }

  return (
    <FactorRow
      icon={<Smartphone />}
      title={t("security.totp.title")}
      state={
        method.enabled
          ? { tone: "success", label: t("security.isOn") }
          : { tone: "neutral", label: t("security.isOff") }
      }
      action={
        method.enabled ? (
          <RemoveFactor method="totp" last={last} onRemoved={setUp.refresh} />
        ) : (
          <>
            <Button size="sm" variant="primary" working={working} onClick={begin}>
              {t("security.totp.setUp")}
            </Button>
            {confirmation}
          </>
        )
      }
    >
      {method.enabled ? <LastUsed method={method} /> : t("security.totp.text")}
    </FactorRow>
  );
}

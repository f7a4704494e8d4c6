"use client";

import { Mail } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProven } from "@/components/access/sign-in/identity/use-proven";
import { api } from "@/components/api/client";
import { toFormError } from "@/components/form/form-error";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { FactorRow } from "./factor-row";
import { LastUsed } from "./last-used";
import { RemoveFactor } from "./remove-factor";
import type { FactorMethod } from "./types";
import type { SetUp } from "./use-set-up";

export interface EmailRowProps {
  method: FactorMethod;
  last: boolean;
  mailVerified: boolean;
  setUp: SetUp;
}

/** Codes by e-mail, on or off; they need a verified address. */
export function EmailRow({ method, last, mailVerified, setUp }: EmailRowProps) {
  const t = useTranslations();
  const { prove, confirmation } = useProven();
  const enable = api.twoFactor.enableEmail.useMutation();
  const [working, setWorking] = useState(false);

  async function begin() {
    setWorking(true);
    try {
      const done = await prove(t("security.email.setUpTitle"), () => enable.mutateAsync());
      if (done) {
        toast.success(done.message);
        if (done.recovery_codes) setUp.show({ at: "codes", codes: done.recovery_codes });
        await setUp.refresh();
      }
    } catch (error) {
      toast.danger(toFormError(error).message || t("ui.error.network"));
    }
    setWorking(false);
  }

  return (
    <FactorRow
      icon={<Mail />}
      title={t("security.email.title")}
      state={
        method.enabled
          ? { tone: "success", label: t("security.isOn") }
          : { tone: "neutral", label: t("security.isOff") }
      }
      action={
        method.enabled ? (
          <RemoveFactor method="email" last={last} onRemoved={setUp.refresh} />
        ) : mailVerified ? (
          <>
            <Button size="sm" working={working} onClick={begin}>
              {t("security.on")}
            </Button>
            {confirmation}
          </>
        ) : null
      }
    >
      {method.enabled ? (
        <LastUsed method={method} />
      ) : mailVerified ? (
        t.rich("security.email.text", { address: () => <Ltr>{method.masked_destination}</Ltr> })
      ) : (
        t("security.email.unverified")
      )}
    </FactorRow>
  );
}

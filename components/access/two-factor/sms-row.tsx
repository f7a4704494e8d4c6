"use client";

import { MessageSquareText } from "lucide-react";
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

/** Codes by SMS; they need a phone in the profile. */
export function SmsRow({ method, last, setUp }: { method: FactorMethod; last: boolean; setUp: SetUp }) {
  const t = useTranslations();
  const { prove, confirmation } = useProven();
  const start = api.twoFactor.startSms.useMutation();
  const [working, setWorking] = useState(false);

  async function begin() {
    setWorking(true);
    try {
      const sent = await prove(t("security.sms.setUpTitle"), () => start.mutateAsync());
      if (sent) setUp.show({ at: "text", phone: sent.masked_destination });
    } catch (error) {
      const { status, message } = toFormError(error);
      toast.danger(message || t("ui.error.network"));
      // Too soon: the previous code is on its way and still valid.
      if (status === 429) setUp.show({ at: "text", phone: method.masked_destination ?? "" });
    }
    setWorking(false);
  }

  return (
    <FactorRow
      icon={<MessageSquareText />}
      title={t("security.sms.title")}
      state={
        method.enabled
          ? { tone: "success", label: t("security.isOn") }
          : { tone: "neutral", label: t("security.isOff") }
      }
      action={
        method.enabled ? (
          <RemoveFactor method="sms" last={last} onRemoved={setUp.refresh} />
        ) : method.available ? (
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
      ) : method.available ? (
        t.rich("security.sms.text", { phone: () => <Ltr>{method.masked_destination}</Ltr> })
      ) : (
        t(method.masked_destination ? "security.sms.unreachable" : "security.sms.missing")
      )}
    </FactorRow>
  );
}

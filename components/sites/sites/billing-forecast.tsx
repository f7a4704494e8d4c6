"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { FormAlert } from "@/components/ui/form-alert";
import { SlotBar } from "@/components/ui/slot-bar";
import { useFormat } from "@/components/ui/use-format";
import { useNow } from "@/components/ui/use-now";
import type { SiteForecast } from "./types";

export interface BillingForecastProps {
  forecast: SiteForecast;
  isConfirmed: boolean;
  onConfirmedChange: (confirmed: boolean) => void;
  isConfirmationMissing?: boolean;
  /** Plans to choose from, shown when a larger plan is needed. */
  planOffer: ReactNode;
  isTrialOffered?: boolean;
}

export function BillingForecast(props: BillingForecastProps) {
  const { forecast, isConfirmed, onConfirmedChange, isConfirmationMissing, planOffer, isTrialOffered } =
    props;
  const t = useTranslations("sites.forecast");
  const { date, money } = useFormat();
  const {
    mode,
    total_slots: totalSlotCount,
    used_slots: usedSlotCount,
    subscription,
    on_trial: isOnTrial,
  } = forecast;
  const now = useNow(60_000);
  const hasEnded = subscription !== null && now !== null && Date.parse(subscription.ends_at) < now;
  const slotBar =
    totalSlotCount > 0 ? (
      <SlotBar
        used={usedSlotCount}
        total={totalSlotCount}
        label={t("used", { used: usedSlotCount, total: totalSlotCount })}
      />
    ) : null;

  if (mode === "subscription_slot") {
    return (
      <FormAlert
        tone={hasEnded ? "warning" : "success"}
        title={t("slot", { next: usedSlotCount + 1, total: totalSlotCount })}
      >
        {subscription ? (
          <p>
            {t(hasEnded ? "slotEndedText" : isOnTrial ? "slotTrialText" : "slotText", {
              plan: subscription.plan,
              date: date(subscription.ends_at),
              isTrial: String(isOnTrial),
            })}
          </p>
        ) : null}
        <div className="mt-3 max-w-xs">{slotBar}</div>
      </FormAlert>
    );
  }
  if (mode === "pay_per_site") {
    return (
      <FormAlert
        tone="warning"
        title={t("licence", { price: money(forecast.annual_price_try) })}
        action={
          <Checkbox
            label={t("confirm", { price: money(forecast.annual_price_try) })}
            checked={isConfirmed}
            error={isConfirmationMissing ? t("confirmFirst") : undefined}
            onChange={(event) => onConfirmedChange(event.target.checked)}
          />
        }
      >
        <p>{t("licenceText", { days: forecast.payment_days })}</p>
        {slotBar ? <div className="mt-3 max-w-xs">{slotBar}</div> : null}
      </FormAlert>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      {isTrialOffered ? null : (
        <FormAlert tone="info" title={t(totalSlotCount > 0 ? "upgrade" : "planFirst")}>
          <p>
            {t(isOnTrial ? "upgradeTrial" : totalSlotCount > 0 ? "upgradeText" : "upgradeNone", {
              total: totalSlotCount,
            })}
          </p>
        </FormAlert>
      )}
      {planOffer}
    </div>
  );
}

"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { FormAlert } from "@/components/ui/form-alert";
import { SlotBar } from "@/components/ui/slot-bar";
import { useFormat } from "@/components/ui/use-format";
import type { SiteForecast } from "./types";

export interface BillingForecastProps {
  forecast: SiteForecast;
  confirmed: boolean;
  onConfirm: (confirmed: boolean) => void;
  missing?: boolean;
  /** Plans to choose from, shown when a larger plan is needed. */
  offer: ReactNode;
}

export function BillingForecast(props: BillingForecastProps) {
  const { forecast, confirmed, onConfirm, missing, offer } = props;
  const t = useTranslations("sites.forecast");
  const { date, money } = useFormat();
  const { mode, total_slots: total, used_slots: used, subscription } = forecast;
  const slotBar = total > 0 ? <SlotBar used={used} total={total} label={t("used", { used, total })} /> : null;

  if (mode === "subscription_slot") {
    return (
      <FormAlert tone="success" title={t("slot", { next: used + 1, total })}>
        {subscription ? (
          <p>{t("slotText", { plan: subscription.plan, date: date(subscription.ends_at) })}</p>
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
            checked={confirmed}
            error={missing ? t("confirmFirst") : undefined}
            onChange={(event) => onConfirm(event.target.checked)}
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
      <FormAlert tone="info" title={t(total > 0 ? "upgrade" : "planFirst")}>
        <p>{t(total > 0 ? "upgradeText" : "upgradeNone", { total })}</p>
      </FormAlert>
      {offer}
    </div>
  );
}

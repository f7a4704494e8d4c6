import { Layers } from "lucide-react";
import { useTranslations } from "next-intl";
import type { SiteForecast } from "@/components/sites/sites/types";
import { SlotBar } from "@/components/ui/slot-bar";
import { useFormat } from "@/components/ui/use-format";
import { FigureCard } from "./figure-card";

export function SlotsCard({ forecast }: { forecast: SiteForecast }) {
  const t = useTranslations("dashboard.slots");
  const { number: formatNumber, date: formatDate, money: formatMoney } = useFormat();
  const { total_slots, used_slots, remaining_slots, subscription, mode } = forecast;
  return (
    <FigureCard
      icon={<Layers />}
      title={t("title")}
      figure={formatNumber(remaining_slots)}
      link={{ href: "/sites/new", label: t(mode === "upgrade" ? "plans" : "create") }}
    >
      <div className="flex flex-col gap-3">
        {total_slots > 0 ? (
          <SlotBar
            used={used_slots}
            total={total_slots}
            label={t("used", { used: used_slots, total: total_slots })}
          />
        ) : null}
        <p>
          {subscription
            ? t(forecast.on_trial ? "untilTrial" : "until", {
                plan: subscription.plan,
                date: formatDate(subscription.ends_at),
              })
            : t(mode === "pay_per_site" ? "licence" : "upgrade", {
                price: formatMoney(forecast.annual_price_try),
              })}
        </p>
      </div>
    </FigureCard>
  );
}

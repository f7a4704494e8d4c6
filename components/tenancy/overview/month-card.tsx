import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { getOverview } from "@/server/domains/tenancy/overview/contract";

export function MonthCard({ month }: { month: Output<typeof getOverview>["month"] }) {
  const t = useTranslations("overview.month");
  const { number, money } = useFormat();
  const figures = {
    sign_ups: number(month.sign_ups),
    sites: number(month.sites),
    revenue: money(month.revenue, "TRY"),
  };
  return (
    <Card title={t("title")}>
      <dl className="grid gap-x-6 gap-y-5 sm:grid-cols-3 sm:divide-x sm:divide-border">
        {(["sign_ups", "sites", "revenue"] as const).map((figureName, index) => (
          <div key={figureName} className={index > 0 ? "sm:ps-6" : undefined}>
            <dt className="text-fg-muted text-sm">{t(figureName)}</dt>
            <dd className="mt-1 whitespace-nowrap font-semibold text-h2 tabular-nums">
              <bdi>{figures[figureName]}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

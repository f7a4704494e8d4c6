import { CircleAlert, Clock } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { getResellerOverview } from "@/server/domains/tenancy/overview/contract";
import { TaskList, TaskRow } from "./task-row";

export interface CustomersAtRiskProps {
  customers: Output<typeof getResellerOverview>["customers_at_risk"];
}

/** A reseller's customers whose plan has ended, for the reseller to call. */
export function CustomersAtRisk({ customers }: CustomersAtRiskProps) {
  const t = useTranslations("dashboard.reseller.atRisk");
  const { date: formatDate } = useFormat();
  if (customers.length === 0) return null;
  return (
    <Card title={t("title")} flush>
      <TaskList>
        {customers.map(({ id, name, kind, sites_count: sitesCount, plan, until }) => (
          <TaskRow
            key={`${kind}${id}${until}`}
            tone={kind === "offline" ? "danger" : "warning"}
            icon={kind === "offline" ? <CircleAlert /> : <Clock />}
            title={t.rich(kind, {
              name: () => <bdi>{name}</bdi>,
              ...{ count: sitesCount ?? 0, plan: plan ?? "", date: until ? formatDate(until) : "" },
            })}
            action={
              <LinkButton size="sm" href={`/reseller/customers/${id}` as Route} labelSuffix={name}>
                {t("open")}
              </LinkButton>
            }
          />
        ))}
      </TaskList>
    </Card>
  );
}

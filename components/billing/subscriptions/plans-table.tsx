"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { createActionColumn, DataTable } from "@/components/ui/data-table";
import { Drawer } from "@/components/ui/drawer";
import { FormattedNumber, Money } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { Tabs } from "@/components/ui/tabs";
import type { Output } from "@/server/core/contract";
import type { listPlans } from "@/server/domains/billing/subscriptions/contract";
import { PlanForm } from "./plan-form";
import { PlanTextsForm } from "./plan-texts-form";

type Plans = Output<typeof listPlans>;

export function PlansTable({ initial }: { initial: Plans }) {
  const t = useTranslations("billingAdmin.plans");
  const { data } = api.subscriptions.listPlans.useQuery(undefined, { initialData: initial });
  const [selectedId, setSelectedId] = useState<number>();
  const [open, setOpen] = useState(false);
  const plan = data.plans.find(({ id }) => id === selectedId);
  return (
    <Card flush>
      <DataTable
        caption={t("title")}
        rows={data.plans}
        rowKey={(row) => String(row.id)}
        columns={[
          { id: "name", header: t("name"), isCardTitle: true, cell: (row) => <bdi>{row.name}</bdi> },
          {
            id: "price",
            header: t("price"),
            align: "end",
            cell: (row) => <Money amount={row.price} currency={row.currency} />,
          },
          {
            id: "slots",
            header: t("slots"),
            align: "end",
            cell: (row) => <FormattedNumber value={row.site_slots} />,
          },
          {
            id: "credits",
            header: t("credits"),
            align: "end",
            minTableWidth: "medium",
            cell: (row) => <FormattedNumber value={row.monthly_credits} />,
          },
          {
            id: "live",
            header: t("live"),
            align: "end",
            cell: (row) => <FormattedNumber value={row.live_count} />,
          },
          {
            id: "state",
            header: t("state"),
            cell: (row) => (
              <StatusChip tone={row.is_active && row.eligible ? "success" : "neutral"}>
                {t(row.is_active && row.eligible ? "offered" : "notOffered")}
              </StatusChip>
            ),
          },
          createActionColumn(t("edit"), (row: Plans["plans"][number]) => (
            <Button
              size="sm"
              labelSuffix={row.name}
              onClick={() => {
                setSelectedId(row.id);
                setOpen(true);
              }}
            >
              {t("edit")}
            </Button>
          )),
        ]}
      />
      {plan ? (
        <Drawer open={open} onOpenChange={setOpen} title={<bdi>{plan.name}</bdi>}>
          <Tabs
            key={plan.id}
            label={t("parts.label")}
            keepMounted
            tabs={[
              {
                value: "terms",
                label: t("parts.terms"),
                content: <PlanForm plan={plan} onSaved={() => setOpen(false)} />,
              },
              {
                value: "texts",
                label: t("parts.texts"),
                content: <PlanTextsForm plan={plan} onSaved={() => setOpen(false)} />,
              },
            ]}
          />
        </Drawer>
      ) : null}
    </Card>
  );
}

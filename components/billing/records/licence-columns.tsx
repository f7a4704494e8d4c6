"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { LicenceState } from "@/components/billing/subscriptions/states";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { getPreloadProps, lazyPart, POPUP } from "@/components/ui/lazy-part";
import { Money } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import { ReferenceLine } from "./reference-line";
import type { Licence } from "./types";

const LicencePaymentDrawer = lazyPart(
  () => import("../payments/licence-payment-drawer").then((file) => file.LicencePaymentDrawer),
  POPUP,
);

export function useLicenceColumns(): { columns: Column<Licence>[]; drawer: ReactNode } {
  const t = useTranslations("billingAdmin");
  const [selectedLicence, setSelectedLicence] = useState<Licence>();
  const [open, setOpen] = useState(false);
  const columns: Column<Licence>[] = [
    {
      id: "site",
      header: t("licences.site"),
      cell: ({ domain, reference }) => (
        <span className="wrap-anywhere flex flex-col items-start sm:min-w-36 sm:py-2">
          <Ltr>{domain}</Ltr>
          <ReferenceLine>{reference}</ReferenceLine>
        </span>
      ),
    },
    {
      id: "status",
      header: t("state"),
      cell: (licence) => <LicenceState licence={licence} />,
    },
    {
      id: "pay_by",
      header: t("licences.payBy"),
      sortable: true,
      cell: ({ pay_by, price, currency }) => (
        <span className="flex flex-col">
          <Time value={pay_by} show="date" />
          <span className="text-compact text-fg-muted">
            <Money amount={price} currency={currency} />
          </span>
        </span>
      ),
    },
    {
      id: "period_end",
      header: t("licences.ends"),
      sortable: true,
      minTableWidth: "medium",
      cell: ({ period_end }) => <Time value={period_end} show="date" />,
    },
    createActionColumn(t("actions"), (row) =>
      row.status === "pending" ? (
        <Button
          size="sm"
          labelSuffix={row.domain}
          {...getPreloadProps(LicencePaymentDrawer)}
          onClick={() => {
            setSelectedLicence(row);
            setOpen(true);
          }}
        >
          {t("licences.record")}
        </Button>
      ) : null,
    ),
  ];
  return {
    columns,
    drawer: selectedLicence ? (
      <LicencePaymentDrawer
        key={selectedLicence.id}
        licence={selectedLicence}
        open={open}
        onOpenChange={setOpen}
      />
    ) : null,
  };
}

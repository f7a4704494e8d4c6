"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { LicenceState } from "@/components/billing/subscriptions/states";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { lazyPart, POPUP } from "@/components/ui/lazy-part";
import { Time } from "@/components/ui/time";
import { getPriceColumn, ReferenceLine } from "./shared-columns";
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
        <span className="wrap-anywhere flex flex-col items-start sm:py-2">
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
      cell: ({ pay_by }) => <Time value={pay_by} show="date" />,
    },
    {
      id: "period_end",
      header: t("licences.ends"),
      sortable: true,
      minTableWidth: "medium",
      cell: ({ period_end }) => <Time value={period_end} show="date" />,
    },
    getPriceColumn(t),
    createActionColumn(t("actions"), (row) =>
      row.status === "pending" ? (
        <Button
          size="sm"
          labelSuffix={row.domain}
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

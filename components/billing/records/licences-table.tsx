"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { type PageOptions, usePage } from "@/components/api/use-page";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Money } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { LicencePayment } from "../payments/licence-payment";
import { LICENCE_STATES, licenceParsers } from "./list-views";
import { RecordList } from "./record-list";
import type { Licence } from "./types";

type Licences = PageOptions<typeof licenceParsers, Licence>;

const useLicences: Licences["useRows"] = (input, options) =>
  api.records.listLicences.useQuery({ query: input }, options as never) as never;

const TONES = {
  pending: "warning",
  active: "success",
  absorbed: "info",
  expired: "neutral",
  cancelled: "neutral",
} as const;

/** All licences of single sites; the payment of a pending one is recorded in a drawer. */
export function LicencesTable({ first }: { first: Licences["first"] }) {
  const t = useTranslations("billingAdmin");
  const list = usePage(licenceParsers, { first, useRows: useLicences });
  const [paying, setPaying] = useState<Licence>();
  const [open, setOpen] = useState(false);
  return (
    <>
      <RecordList
        of="licences"
        list={list}
        parsers={licenceParsers}
        filters={[
          {
            name: "status",
            label: t("state"),
            all: t("allStates"),
            options: LICENCE_STATES.map((value) => ({ value, label: t(`licences.is.${value}`) })),
          },
        ]}
        columns={[
          { id: "site", header: t("licences.site"), cell: ({ domain }) => <Ltr>{domain}</Ltr> },
          {
            id: "status",
            header: t("state"),
            cell: ({ status }) => <StatusChip tone={TONES[status]}>{t(`licences.is.${status}`)}</StatusChip>,
          },
          {
            id: "pay_by",
            header: t("licences.payBy"),
            sortable: true,
            from: "medium",
            cell: ({ pay_by }) => <Time value={pay_by} show="date" />,
          },
          {
            id: "period_end",
            header: t("licences.ends"),
            sortable: true,
            from: "medium",
            cell: ({ period_end }) => <Time value={period_end} show="date" />,
          },
          {
            id: "price",
            header: t("amount"),
            align: "end",
            cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
          },
          {
            id: "reference",
            header: t("reference"),
            from: "wide",
            cell: (row) => <Ltr mono>{row.reference}</Ltr>,
          },
          {
            id: "action",
            header: t("actions"),
            hideHeader: true,
            align: "end",
            cell: (row) =>
              row.status === "pending" ? (
                <Button
                  size="sm"
                  about={row.domain}
                  onClick={() => {
                    setPaying(row);
                    setOpen(true);
                  }}
                >
                  {t("licences.record")}
                </Button>
              ) : null,
          },
        ]}
      />
      {paying ? <LicencePayment key={paying.id} licence={paying} open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}

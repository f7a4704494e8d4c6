"use client";

import { useTranslations } from "next-intl";
import { PhoneNumber } from "@/components/access/verification/phone-number";
import { type Column, DataTable } from "@/components/ui/data-table";
import { FormattedNumber } from "@/components/ui/number";
import { PersonName } from "@/components/ui/person-name";
import { StatusChip } from "@/components/ui/status-chip";
import { useRowPages } from "@/components/ui/use-row-pages";
import type { ImportRow } from "./types";

const isValid = ({ outcome }: ImportRow) => outcome === "ready" || outcome === "invited";

/** Rows with a problem come first. */
export function ImportRows({ rows }: { rows: ImportRow[] }) {
  const t = useTranslations("customerImport");
  const pages = useRowPages([...rows.filter((row) => !isValid(row)), ...rows.filter(isValid)]);
  const columns: Column<ImportRow>[] = [
    {
      id: "person",
      header: t("table.person"),
      isCardTitle: true,
      cell: ({ name, email }) => (
        <PersonName email={email ?? "–"}>
          <bdi>{name ?? "–"}</bdi>
        </PersonName>
      ),
    },
    { id: "row", header: t("table.row"), align: "end", cell: ({ row }) => <FormattedNumber value={row} /> },
    {
      id: "phone",
      header: t("table.phone"),
      minTableWidth: "medium",
      cell: ({ phone }) => (phone ? <PhoneNumber value={phone} /> : "–"),
    },
    {
      id: "outcome",
      header: t("table.outcome"),
      cell: (row) => (
        <StatusChip tone={isValid(row) ? "success" : "warning"}>{t(`outcome.${row.outcome}`)}</StatusChip>
      ),
    },
  ];
  return (
    <DataTable caption={t("table.caption")} columns={columns} rowKey={({ row }) => String(row)} {...pages} />
  );
}

"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { type Column, DataTable } from "@/components/ui/data-table";
import { Num } from "@/components/ui/number";
import { PersonName } from "@/components/ui/person-name";
import { StatusChip } from "@/components/ui/status-chip";
import type { ImportRow } from "./types";

/** Maximum rows shown; rows with a problem come first. */
const ROWS_MAX = 100;

const isValid = ({ outcome }: ImportRow) => outcome === "ready" || outcome === "invited";

export function ImportRows({ rows }: { rows: ImportRow[] }) {
  const t = useTranslations("customerImport");
  const ordered = [...rows.filter((row) => !isValid(row)), ...rows.filter(isValid)];
  const columns: Column<ImportRow>[] = [
    {
      id: "person",
      header: t("table.person"),
      primary: true,
      cell: ({ name, email }) => (
        <PersonName email={email ?? "–"}>
          <bdi>{name ?? "–"}</bdi>
        </PersonName>
      ),
    },
    { id: "row", header: t("table.row"), align: "end", cell: ({ row }) => <Num value={row} /> },
    { id: "phone", header: t("table.phone"), from: "medium", cell: ({ phone }) => <Ltr>{phone ?? "–"}</Ltr> },
    {
      id: "outcome",
      header: t("table.outcome"),
      cell: (row) => (
        <StatusChip tone={isValid(row) ? "success" : "warning"}>{t(`outcome.${row.outcome}`)}</StatusChip>
      ),
    },
  ];
  return (
    <>
      <DataTable
        caption={t("table.caption")}
        columns={columns}
        rows={ordered.slice(0, ROWS_MAX)}
        rowKey={({ row }) => String(row)}
      />
      {ordered.length > ROWS_MAX ? (
        <p className="mt-3 text-fg-muted text-sm">{t("table.more", { count: ordered.length - ROWS_MAX })}</p>
      ) : null}
    </>
  );
}

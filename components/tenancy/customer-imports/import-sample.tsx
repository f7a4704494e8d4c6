"use client";

import { clsx } from "clsx";
import { useTranslations } from "next-intl";
import { FormattedNumber } from "@/components/ui/number";
import { useOverflow } from "@/components/ui/use-overflow";
import type { Import, MappedField } from "./types";

export interface ImportSampleProps {
  customerImport: Import;
  fields: readonly MappedField[];
  mapping: Import["mapping"];
}

export function ImportSample({ customerImport, fields, mapping }: ImportSampleProps) {
  const t = useTranslations("customerImport");
  const { ref, isOverflowing } = useOverflow<HTMLElement>();
  const fieldByColumn = new Map(fields.map((field) => [mapping[field], field] as const));
  const columns = customerImport.columns.map((heading, index) => ({
    index,
    heading,
    field: fieldByColumn.get(index),
  }));
  const visibleColumns = [
    ...fields.flatMap((field) => columns.filter((column) => column.field === field)),
    ...columns.filter(({ index, field }) => !field && customerImport.examples[index] !== null),
  ];
  return (
    <section
      ref={ref}
      aria-label={t("map.sample")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className={clsx(
        "overflow-x-auto rounded-control border border-border",
        isOverflowing && "border-e-border-strong",
      )}
    >
      <table className="w-full border-collapse text-start text-compact">
        <caption className="sr-only">{t("map.sample")}</caption>
        <thead>
          <tr className="border-border border-b bg-sunken align-bottom">
            <th scope="col" className="w-px px-3 py-2 text-end font-medium text-fg-muted">
              {t("table.row")}
            </th>
            {visibleColumns.map(({ heading, index, field }) => (
              <th key={index} scope="col" className="max-w-48 px-3 py-2 text-start font-medium">
                {field ? <span className="block text-primary-text">{t(`map.${field}`)}</span> : null}
                <bdi className="block truncate text-fg-muted">{heading}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {customerImport.sample.map(({ row, cells }) => (
            <tr key={row}>
              <td className="px-3 py-2 text-end text-fg-muted">
                <FormattedNumber value={row} />
              </td>
              {visibleColumns.map(({ index, field }) => (
                <td key={index} className={clsx("max-w-48 px-3 py-2", field && "bg-primary-soft")}>
                  <bdi className="block truncate" title={cells[index]}>
                    {cells[index]}
                  </bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

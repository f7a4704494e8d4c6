"use client";

import { Download } from "lucide-react";
import { useLocale } from "next-intl";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { Locale } from "@/server/core/locale";
import type { Tone } from "./types";

interface FigureColumn {
  key: string;
  label: string;
  /** Missing for figures of the period before. */
  tone?: Tone;
  /** Formatted values. */
  texts: string[];
  /** Values for the file: amounts in units of the currency. */
  values: (number | null)[];
}

interface FigureTableProps {
  id: string;
  caption: string;
  interval: { label: string; texts: string[]; values: string[] };
  columns: FigureColumn[];
  /** File name without extension. */
  name: string;
  download: { label: string; failedText: string };
}

/** The figures of a chart, and the same as CSV. The tooltip reads them from the table. */
export function FigureTable({ id, caption, interval, columns, name, download }: FigureTableProps) {
  const locale = useLocale() as Locale;
  const saveAsCsv = () => {
    import("./save-csv").then(
      ({ saveCsv }) => saveCsv({ name, locale, columns: [interval, ...columns] }),
      () => toast.danger(download.failedText),
    );
  };
  return (
    <div className="mt-2 flex flex-col items-start gap-3">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls needs the keyboard's focus */}
      <section aria-label={caption} tabIndex={0} className="max-h-80 w-full overflow-auto">
        <table id={id} className="figures">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{interval.label}</th>
              {columns.map(({ key, label, tone }) => (
                <th key={key} scope="col" data-tone={tone}>
                  <bdi>{label}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {interval.texts.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two hours of a day may have the same text
              <tr key={index}>
                <th scope="row">{text}</th>
                {columns.map(({ key, texts }) => (
                  <td key={key}>{texts[index]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Button size="sm" icon={<Download />} onClick={saveAsCsv}>
        {download.label}
      </Button>
    </div>
  );
}

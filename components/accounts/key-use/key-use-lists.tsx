"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Ltr } from "@/components/ui/bidi";
import { Time } from "@/components/ui/time";
import type { KeyUse } from "./types";

export function KeyUseLists({ use: { operations, addresses } }: { use: KeyUse }) {
  const t = useTranslations("keyUse");
  if (operations.length === 0) return <p className="text-fg-muted text-sm">{t("empty")}</p>;
  return (
    <div className="flex flex-col gap-6">
      <p className="text-fg-muted text-sm">{t("text")}</p>
      <Figures
        title={t("endpoints")}
        rows={operations.map(({ operation, method, path, ...figures }) => ({
          key: operation ?? "",
          name: operation ? <Ltr mono>{path ? `${method} ${path}` : operation}</Ltr> : t("others"),
          ...figures,
        }))}
      />
      <Figures
        title={t("from")}
        rows={addresses.map(({ address, ...figures }) => ({
          key: address ?? "",
          name: address ? <Ltr mono>{address}</Ltr> : t("others"),
          ...figures,
        }))}
      />
    </div>
  );
}

function Figures({
  title,
  rows,
}: {
  title: string;
  rows: Array<{ key: string; name: ReactNode; calls: number; last_at: string }>;
}) {
  const t = useTranslations("keyUse");
  return (
    <section>
      <h3 className="mb-2 font-medium text-sm">{title}</h3>
      <ul className="divide-y divide-border border-border border-y text-sm">
        {rows.map(({ key, name, calls, last_at }) => (
          <li key={key} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            <span className="wrap-anywhere min-w-0">{name}</span>
            <span className="flex gap-x-3 text-fg-muted">
              <span className="tabular-nums">{t("calls", { count: calls })}</span>
              <Time value={last_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

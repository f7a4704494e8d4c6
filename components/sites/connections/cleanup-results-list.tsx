"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { StatusChip } from "@/components/ui/status-chip";
import type { CleanupResult } from "./types";

export interface CleanupResultsListProps {
  results: readonly CleanupResult[];
  labelsById: ReadonlyMap<number, string>;
}

export function CleanupResultsList({ results, labelsById }: CleanupResultsListProps) {
  const t = useTranslations("connections");
  return (
    <ul className="flex flex-col divide-y divide-border">
      {results.map((result) => {
        const { id, ok, reason, plan, token_dead: isTokenDead } = result;
        return (
          <li key={id} className="flex flex-col gap-1.5 py-3 text-sm">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
              <bdi className="wrap-anywhere font-medium">{labelsById.get(id) ?? id}</bdi>
              <StatusChip tone={ok ? (plan ? "info" : "success") : reason === "running" ? "info" : "warning"}>
                {ok ? t(plan ? "result.planned" : "result.ok") : t(`result.${reason ?? "not_found"}`)}
              </StatusChip>
              {isTokenDead ? <StatusChip tone="warning">{t("result.tokenDead")}</StatusChip> : null}
            </p>
            {plan ? (
              <ul className="flex list-disc flex-col gap-1 ps-5 text-fg-muted">
                <li>{t(`plan.hook.${plan.hook}`)}</li>
                {plan.steps.map((step) => (
                  <li key={step}>
                    <span className="wrap-anywhere">
                      <Ltr mono>{step}</Ltr>
                    </span>
                  </li>
                ))}
                <li>{t("plan.local")}</li>
                {plan.siblings.length > 0 ? (
                  <li>
                    {t.rich("plan.siblings", {
                      names: () => <bdi>{plan.siblings.map(({ label }) => label).join(", ")}</bdi>,
                    })}
                  </li>
                ) : null}
                {plan.sites.length > 0 ? (
                  <li>
                    {t.rich("plan.sites", {
                      names: () => <bdi>{plan.sites.map(({ name }) => name).join(", ")}</bdi>,
                    })}
                  </li>
                ) : null}
              </ul>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { publicCall } from "@/components/api/public-call";
import { useRowNameLookup } from "@/components/platform/health/health-rows";
import { HEALTH_TONES, sortBySeverity } from "@/components/platform/health/severity";
import type { Health, HealthRow } from "@/components/platform/health/types";
import { AppLink } from "@/components/ui/app-link";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import { StatusChip } from "@/components/ui/status-chip";

/** Pages of the parts that have their own; the others are explained on the health page. */
const PART_PAGES: Record<string, string> = {
  accounting: "/admin/accounting",
  audit: "/admin/audit",
  failed_invoices: "/admin/accounting?state=failed",
  failed_mails: "/admin/mails?state=failed",
  queue: "/admin/jobs",
  workers: "/admin/jobs",
};

/** Every part of the platform, worst first. The browser loads it, because the checks take seconds. */
export function HealthStrip() {
  const t = useTranslations("health");
  const getPartName = useRowNameLookup();
  const [health, setHealth] = useState<Health>();
  const [hasFailed, setHasFailed] = useState(false);
  const loadHealth = useCallback(async () => {
    setHasFailed(false);
    const query = { browser_time: new Date().toISOString() };
    const response = await publicCall.health.rows.query({ query }).catch(() => undefined);
    if (response) setHealth(response);
    else setHasFailed(true);
  }, []);
  useEffect(() => void loadHealth(), [loadHealth]);
  const problemCount = health?.rows.filter(isProblem).length ?? 0;
  return (
    <Card
      title={t("title")}
      description={health ? t("summary", { count: problemCount }) : undefined}
      actions={
        <LinkButton size="sm" href="/admin/health">
          {t("open")}
        </LinkButton>
      }
    >
      {hasFailed ? (
        <ErrorState onRetry={loadHealth} />
      ) : health ? (
        <ul aria-label={t("list")} className="flex flex-wrap gap-2">
          {sortBySeverity(health.rows).map(({ name, light }) => (
            <li key={name} className="max-w-full">
              <AppLink
                href={(PART_PAGES[name] ?? "/admin/health") as Route}
                className="block max-w-full rounded-full hover:underline"
              >
                <StatusChip tone={HEALTH_TONES[light]}>
                  <span>{getPartName(name)}</span>
                  <span className="sr-only">{`: ${t(`light.${light}`)}`}</span>
                </StatusChip>
              </AppLink>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton height="4rem" />
      )}
    </Card>
  );
}

const isProblem = ({ light }: HealthRow) => light === "red" || light === "yellow";

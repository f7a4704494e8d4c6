"use client";

import { RotateCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { publicCall } from "@/components/api/public-call";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorState } from "@/components/ui/error-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { ExternalServices } from "./external-services";
import { HealthRows, useRowNameLookup } from "./health-rows";
import { sortBySeverity } from "./severity";
import type { Health, HealthRow, ServerProcess } from "./types";

/** Platform health. The browser fetches it, because one check compares its clock with the server's. */
export function HealthPanel() {
  const t = useTranslations("health");
  const getRowName = useRowNameLookup();
  const [health, setHealth] = useState<Health>();
  const [hasFailed, setHasFailed] = useState(false);
  const [isLoading, setIsLoading] = useState(true);
  const loadHealth = useCallback(async () => {
    setIsLoading(true);
    const query = { browser_time: new Date().toISOString() };
    const response = await publicCall.health.rows.query({ query }).catch(() => undefined);
    if (response) setHealth(response);
    setHasFailed(!response);
    setIsLoading(false);
  }, []);
  useEffect(() => void loadHealth(), [loadHealth]);
  const formatRows = (rows: readonly HealthRow[]) =>
    rows
      .map(({ name, light, value, code, fix }) =>
        [
          `${getRowName(name)}: ${t(`light.${light}`)} (${code ? `${value}, ${code}` : value})`,
          fix && `  ${fix}`,
        ]
          .filter(Boolean)
          .join("\n"),
      )
      .join("\n");

  const rows = health ? sortBySeverity(health.rows) : [];
  const problemCount = rows.filter(({ light }) => light === "red" || light === "yellow").length;

  if (hasFailed) return <ErrorState onRetry={loadHealth} isRetrying={isLoading} />;
  return (
    <div className="flex flex-col gap-6">
      <Card
        title={t("list")}
        description={health ? t("summary", { count: problemCount }) : undefined}
        flush
        actions={
          <>
            {health ? <CopyButton size="sm" text={formatRows(rows)} label={t("copy")} /> : null}
            <Button
              size="sm"
              icon={<RotateCw />}
              working={isLoading && health !== undefined}
              onClick={loadHealth}
            >
              {t("again")}
            </Button>
          </>
        }
      >
        <div className="border-border border-t" aria-busy={isLoading}>
          {health ? <HealthRows rows={rows} label={t("list")} /> : <SkeletonRows rowCount={12} />}
        </div>
      </Card>
      {health && health.parties.length > 0 ? <ExternalServices services={health.parties} /> : null}
      {health && health.processes.length > 0 ? <Processes processes={health.processes} /> : null}
    </div>
  );
}

function Processes({ processes }: { processes: readonly ServerProcess[] }) {
  const t = useTranslations("health.processes");
  return (
    <Card title={t("title")} flush>
      <ul className="divide-y divide-border border-border border-t">
        {processes.map(({ host, pid, role, version, started_at }) => (
          <li key={`${host} ${pid}`} className="flex flex-wrap gap-x-6 gap-y-1 px-5 py-3 text-sm">
            <span className="wrap-anywhere min-w-40 flex-1 font-medium">
              <Ltr>{`${host} (${pid})`}</Ltr>
            </span>
            <span>{t(role)}</span>
            <span className="text-fg-muted">
              {t("version")} <Ltr>{version}</Ltr>
            </span>
            <span className="text-fg-muted">
              {t("started")}: <Time value={started_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

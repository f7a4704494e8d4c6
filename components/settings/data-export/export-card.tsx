"use client";

import { useMessages, useTranslations } from "next-intl";
import { useId } from "react";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { ProgressBar } from "@/components/ui/progress-bar";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Tone } from "@/components/ui/tone";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { ExportFile } from "@/server/core/domain";
import type { getExport } from "@/server/domains/settings/data-export/contract";
import { EXPORT_LINK_HOURS } from "@/server/domains/settings/data-export/policy";

type ExportState = Output<typeof getExport>;
type DataExport = NonNullable<ExportState["export"]>;

const POLL_INTERVAL_MS = 1500;

const isInProgress = (state: DataExport["state"] | undefined) => state === "queued" || state === "running";

export function ExportCard({ initial }: { initial: ExportState }) {
  const t = useTranslations("dataExport");
  const files = Object.keys(useMessages().dataExport.files) as ExportFile[];
  const utils = api.useUtils();
  const { prove, proofDialog } = useProofPrompt();
  const { data } = api.dataExport.get.useQuery(undefined, {
    initialData: initial,
    refetchInterval: ({ state }) => (isInProgress(state.data?.export?.state) ? POLL_INTERVAL_MS : false),
  });
  const dataExport = data.export;

  const requestExport = useAction(() => prove(t("proof"), () => call.dataExport.request.mutate()), {
    onSuccess: ({ export: newExport }) =>
      utils.dataExport.get.setData(undefined, { success: true, export: newExport, data: newExport }),
  });

  return (
    <Card
      title={t("title")}
      description={t("text", { hours: EXPORT_LINK_HOURS })}
      footer={
        isInProgress(dataExport?.state) ? undefined : (
          <Button
            variant={dataExport ? "secondary" : "primary"}
            working={requestExport.isPending}
            onClick={requestExport.run}
          >
            {t(dataExport ? "again" : "request")}
          </Button>
        )
      }
    >
      {dataExport ? <ExportStatus value={dataExport} /> : null}
      <div className={dataExport ? "mt-5" : undefined}>
        <Disclosure label={t("inside")}>
          <ul className="mt-2 grid list-disc gap-x-8 gap-y-1 ps-5 text-fg-muted text-sm sm:grid-cols-2">
            {files.map((file) => (
              <li key={file}>{t(`files.${file}`)}</li>
            ))}
          </ul>
        </Disclosure>
      </div>
      {proofDialog}
    </Card>
  );
}

const STATE_TONES: Record<"ready" | "failed" | "expired", Tone> = {
  ready: "success",
  failed: "danger",
  expired: "neutral",
};

function ExportStatus({ value: dataExport }: { value: DataExport }) {
  const t = useTranslations("dataExport");
  const id = useId();
  const { percent: formatPercent, bytes: formatBytes } = useFormat();
  const { state, progress, size, expires_at: until } = dataExport;
  if (state === "queued" || state === "running") {
    return (
      <div>
        <ProgressBar
          id={id}
          label={t(state)}
          value={progress}
          max={100}
          valueText={formatPercent(progress / 100)}
        />
        <p className="mt-2 text-fg-muted text-sm">{t("leave")}</p>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm" aria-live="polite">
      <StatusChip tone={STATE_TONES[state]}>{t(state)}</StatusChip>
      <p className="min-w-0 text-fg-muted">
        {state === "ready" && until
          ? t.rich("readyText", {
              time: () => <Time value={until} show="dateTime" />,
              size: formatBytes(size ?? 0),
            })
          : t(state === "failed" ? "failedText" : "expiredText")}
      </p>
    </div>
  );
}

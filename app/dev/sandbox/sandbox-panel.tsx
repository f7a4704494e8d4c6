"use client";

import { PhoneCall } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listSandboxCalls } from "@/server/domains/platform/sandbox/contract";
import { FailureForm } from "./failure-form";

type SandboxCalls = Output<typeof listSandboxCalls>;

const REFETCH_INTERVAL_MS = 5000;

export function SandboxPanel({ initial, children }: { initial: SandboxCalls; children: ReactNode }) {
  const { data } = api.sandbox.list.useQuery(
    { query: {} },
    { initialData: initial, refetchInterval: REFETCH_INTERVAL_MS },
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
      <div className="flex flex-col gap-6">
        <FailureForm />
        {data.failures.length > 0 ? <ScriptedFailures failures={data.failures} /> : null}
        {children}
      </div>
      <CallsTable calls={data.calls} />
    </div>
  );
}

function ScriptedFailures({ failures }: { failures: SandboxCalls["failures"] }) {
  const t = useTranslations("sandbox");
  const utils = api.useUtils();
  const clearFailures = useAction(() => call.sandbox.clear.mutate({}), {
    successText: false,
    onSuccess: () => utils.sandbox.list.invalidate(),
  });
  return (
    <Card
      title={t("waiting.title")}
      actions={
        <Button size="sm" working={clearFailures.isPending} onClick={() => clearFailures.run()}>
          {t("waiting.remove")}
        </Button>
      }
    >
      <ul className="flex flex-col gap-3 text-sm">
        {failures.map(({ id, party, failure, match, remaining }) => (
          <li key={id}>
            <p>{t(`failure.${failure}`)}</p>
            <p className="wrap-anywhere text-compact text-fg-muted">
              <span>{`${t(`party.${party}`)} · `}</span>
              <span>{match ? <Ltr mono>{match}</Ltr> : t("waiting.any")}</span>
              <span>{` · ${t("waiting.times", { count: remaining })}`}</span>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function CallsTable({ calls }: { calls: SandboxCalls["calls"] }) {
  const t = useTranslations("sandbox");
  return (
    <Card flush title={t("calls.title")}>
      <DataTable
        caption={t("calls.title")}
        rows={calls}
        rowKey={({ id }) => String(id)}
        emptyState={
          <EmptyState icon={<PhoneCall />} title={t("calls.none")}>
            {t("calls.noneText")}
          </EmptyState>
        }
        columns={[
          {
            id: "call",
            header: t("calls.call"),
            isCardTitle: true,
            cell: ({ call: endpoint }) => (
              <span className="wrap-anywhere">
                <Ltr mono>{endpoint}</Ltr>
              </span>
            ),
          },
          { id: "party", header: t("form.party"), cell: ({ party }) => t(`party.${party}`) },
          {
            id: "status",
            header: t("calls.status"),
            cell: ({ status, failure }) => (
              <span className="flex flex-wrap items-center gap-2">
                {status ? (
                  <Ltr mono>{status}</Ltr>
                ) : (
                  <span className="text-fg-muted">{t("calls.noAnswer")}</span>
                )}
                {failure ? <StatusChip tone="warning">{t(`failure.${failure}`)}</StatusChip> : null}
              </span>
            ),
          },
          { id: "at", header: t("calls.at"), cell: ({ at }) => <Time value={at} /> },
        ]}
      />
    </Card>
  );
}

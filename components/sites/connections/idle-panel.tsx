"use client";

import { CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { FormAlert } from "@/components/ui/form-alert";
import { Input } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { StatusChip } from "@/components/ui/status-chip";
import { CLEANUP_ITEMS_MAX } from "@/server/domains/sites/connections/policy";
import { getCleanupPath } from "./cleanup-path";
import { CleanupResultsList } from "./cleanup-results-list";
import type { CleanupResult, IdleConnection } from "./types";

interface CleanupResponse {
  results: CleanupResult[];
  receipt_id: string | null;
  dry_run: boolean;
}

export function IdleConnectionsPanel({
  initialData,
}: {
  initialData: { success: true; connections: IdleConnection[]; data: IdleConnection[] };
}) {
  const t = useTranslations("connections");
  const countInputId = useId();
  const utils = api.useUtils();
  const { data } = api.connections.listIdle.useQuery({ query: {} }, { initialData });
  const [selectedIds, setSelectedIds] = useState<Set<string>>(new Set());
  const [cleanupResponse, setCleanupResponse] = useState<CleanupResponse>();
  const [typedCount, setTypedCount] = useState("");
  const [labelsById, setLabelsById] = useState<Map<number, string>>(new Map());
  const rows = data.connections;
  const manageableRows = rows.filter(({ can_manage }) => can_manage);
  const selectedRows = manageableRows.filter(({ id }) => selectedIds.has(String(id)));

  const cleanUpAction = useAction(
    (dry_run: boolean) =>
      call.connections.clean.mutate({
        body: { items: selectedRows.map(({ channel, id }) => ({ channel, id })), dry_run },
      }),
    {
      successText: false,
      onSuccess: async (result) => {
        setCleanupResponse(result);
        setTypedCount("");
        setLabelsById(new Map(selectedRows.map(({ id, label }) => [id, label])));
        if (result.dry_run) return;
        setSelectedIds(new Set());
        await Promise.all([utils.connections.listIdle.invalidate(), utils.connections.list.invalidate()]);
      },
    },
  );
  const selectRows = (nextIds: Set<string>) => {
    setCleanupResponse(undefined);
    const selectableRows = manageableRows
      .filter(({ id }) => nextIds.has(String(id)))
      .slice(0, CLEANUP_ITEMS_MAX);
    setSelectedIds(new Set(selectableRows.map(({ id }) => String(id))));
  };
  const isConfirmed = typedCount.trim() === String(selectedRows.length);

  return (
    <div className="flex flex-col gap-6">
      <Card flush title={t("idle.list")}>
        <DataTable
          caption={t("idle.list")}
          rows={rows}
          rowKey={({ id }) => String(id)}
          selection={{
            selected: selectedIds,
            onChange: selectRows,
            rowLabel: ({ label }) => t("idle.choose", { name: label }),
            canSelect: ({ can_manage }) => can_manage,
          }}
          emptyState={
            <EmptyState icon={<CircleCheck />} title={t("idle.none")}>
              {t("idle.noneText")}
            </EmptyState>
          }
          columns={[
            {
              id: "label",
              header: t("column.label"),
              isCardTitle: true,
              cell: ({ label }) => <bdi className="wrap-anywhere line-clamp-2">{label}</bdi>,
            },
            {
              id: "channel",
              header: t("column.channel"),
              cell: ({ channel }) => t(`channel.${channel as "telegram"}`),
            },
            {
              id: "reasons",
              header: t("idle.why"),
              cell: ({ channel, reasons, token_dead: isTokenDead }) => (
                <span className="flex flex-wrap gap-1.5">
                  {reasons.map((reason) => (
                    <StatusChip key={reason} tone="neutral">
                      {t(`reason.${reason}`)}
                    </StatusChip>
                  ))}
                  {isTokenDead ? <StatusChip tone="danger">{t("state.dead", { channel })}</StatusChip> : null}
                </span>
              ),
            },
            {
              id: "sites",
              header: t("column.sites"),
              minTableWidth: "medium",
              cell: ({ linked_sites: linkedSites }) =>
                linkedSites.length === 0 ? (
                  t("noSites")
                ) : (
                  <bdi>{linkedSites.map(({ name }) => name).join(", ")}</bdi>
                ),
            },
            ...(manageableRows.length < rows.length
              ? [
                  {
                    id: "manage",
                    header: t("idle.manage"),
                    cell: ({ can_manage }: IdleConnection) => t(can_manage ? "idle.may" : "idle.mayNot"),
                  },
                ]
              : []),
          ]}
        />
      </Card>
      {rows.length > 0 ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            working={cleanUpAction.isPending && !cleanupResponse}
            disabled={selectedRows.length === 0}
            onClick={() => cleanUpAction.run(true)}
          >
            {selectedRows.length === 0
              ? t("idle.previewNone")
              : t("idle.preview", { count: selectedRows.length })}
          </Button>
          <p role="status" className="text-compact text-fg-muted">
            {t("idle.chosen", { count: selectedRows.length, max: CLEANUP_ITEMS_MAX })}
          </p>
        </div>
      ) : null}
      {cleanupResponse ? (
        <Card title={t(cleanupResponse.dry_run ? "plan.title" : "result.title")}>
          <div className="flex flex-col gap-5">
            <CleanupResultsList results={cleanupResponse.results} labelsById={labelsById} />
            {cleanupResponse.dry_run ? (
              <>
                <FormAlert tone="warning">{t("plan.forGood")}</FormAlert>
                <div className="flex flex-wrap items-end gap-3">
                  <label htmlFor={countInputId} className="flex flex-col gap-1.5 text-sm">
                    <span>{t("plan.type", { count: selectedRows.length })}</span>
                    <Input
                      id={countInputId}
                      inputMode="numeric"
                      autoComplete="off"
                      value={typedCount}
                      onChange={(event) => setTypedCount(event.target.value)}
                    />
                  </label>
                  <Button
                    variant="danger"
                    working={cleanUpAction.isPending}
                    disabled={!isConfirmed}
                    onClick={() => cleanUpAction.run(false)}
                  >
                    {t("plan.start")}
                  </Button>
                </div>
              </>
            ) : cleanupResponse.receipt_id ? (
              <div>
                <LinkButton href={getCleanupPath(cleanupResponse.receipt_id)}>
                  {t("result.receipt")}
                </LinkButton>
              </div>
            ) : null}
          </div>
        </Card>
      ) : null}
    </div>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { getAuditChain } from "@/server/domains/accounts/audit/contract";

type ChainOutput = Output<typeof getAuditChain>;

const getCheckedAt = (output: ChainOutput | undefined) => output?.chain.checked?.at ?? null;

export function ChainCard({ initial }: { initial: ChainOutput }) {
  const t = useTranslations("auditLog.chain");
  // `checked.at` when a new verification was requested: poll until it changes. Undefined: no request.
  const [previousCheckAt, setPreviousCheckAt] = useState<string | null>();
  const query = api.audit.chain.useQuery(undefined, {
    initialData: initial as never,
    refetchInterval: ({ state }) =>
      previousCheckAt !== undefined && getCheckedAt(state.data as ChainOutput | undefined) === previousCheckAt
        ? 2000
        : false,
  });
  const {
    checked,
    sealed_until: sealedUntil,
    head,
  } = ((query.data as ChainOutput | undefined) ?? initial).chain;
  const startCheck = useAction(() => call.audit.checkChain.mutate(undefined), {
    onSuccess: () => setPreviousCheckAt(checked?.at ?? null),
  });
  const problem = checked?.broken;
  return (
    <section className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-3 rounded-card border border-border bg-surface px-5 py-4">
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1.5 text-sm">
        <StatusChip tone={problem ? "danger" : checked ? "success" : "neutral"}>
          {t(problem ? "broken" : checked ? "whole" : "none")}
        </StatusChip>
        {problem ? (
          <p role="alert">{`${t(`reason.${problem.reason}`, { id: String(problem.id) })} ${t("todo")}`}</p>
        ) : null}
        {checked ? (
          <p className="text-fg-muted">
            <span>{t("checked", { count: checked.entries })}</span> <Time value={checked.at} />
            {checked.erased > 0 ? <span>{` ${t("erased", { count: checked.erased })}`}</span> : null}
          </p>
        ) : null}
        {sealedUntil ? (
          <p className="max-w-full text-compact text-fg-muted">
            {t("until")}: <Time value={sealedUntil} />
            {head ? (
              <span className="wrap-anywhere block">
                <Ltr mono>{head}</Ltr>
              </span>
            ) : null}
          </p>
        ) : null}
      </div>
      <Button size="sm" working={startCheck.isPending} onClick={() => void startCheck.run()}>
        {t("now")}
      </Button>
    </section>
  );
}

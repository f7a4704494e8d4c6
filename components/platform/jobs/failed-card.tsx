"use client";

import { CircleCheck } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listFailedWork } from "@/server/domains/platform/jobs/contract";

type FailedWorkList = Output<typeof listFailedWork>;
type FailedWork = FailedWorkList["data"][number];

export function FailedCard({ initial }: { initial: FailedWorkList }) {
  const t = useTranslations("jobs.failed");
  const query = api.jobs.listFailed.useQuery(undefined, { initialData: initial as never });
  const { data } = (query.data as FailedWorkList | undefined) ?? initial;
  if (data.length === 0)
    return (
      <Card flush>
        <EmptyState icon={<CircleCheck />} title={t("none")}>
          {t("noneText")}
        </EmptyState>
      </Card>
    );
  return (
    <Card title={t("title")} description={t("text")} flush>
      <ul aria-label={t("title")} className="divide-y divide-border border-border border-t">
        {data.map((work) => (
          <FailedWorkRow key={work.kind} work={work} />
        ))}
      </ul>
    </Card>
  );
}

function FailedWorkRow({ work }: { work: FailedWork }) {
  const t = useTranslations("jobs");
  const { kind, count, since, last_error: error, page, retryable } = work;
  const name = t.has(`kinds.${kind}` as "kinds.mails") ? t(`kinds.${kind}` as "kinds.mails") : kind;
  const hintKey = `hints.${kind}` as "hints.exports";
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-3.5">
      <div className="min-w-52 flex-1 text-sm">
        <p className="font-medium">{name}</p>
        {since ? (
          <p className="text-compact text-fg-muted">
            {t.rich("failed.since", { time: () => <Time value={since} show="dateTime" /> })}
          </p>
        ) : null}
        {error ? (
          <p className="wrap-anywhere text-compact text-fg-muted">
            {t("failed.last")} <Ltr>{error}</Ltr>
          </p>
        ) : null}
        {t.has(hintKey) ? <p className="mt-1 max-w-[75ch]">{t(hintKey)}</p> : null}
      </div>
      <StatusChip tone="danger">{t("failed.count", { count })}</StatusChip>
      {page || retryable ? (
        <span className="flex flex-wrap gap-2">
          {page ? (
            <LinkButton size="sm" href={page as Route} aria-label={`${t("failed.open")}: ${name}`}>
              {t("failed.open")}
            </LinkButton>
          ) : null}
          {retryable ? <RetryButton kind={kind} name={name} /> : null}
        </span>
      ) : null}
    </li>
  );
}

function RetryButton({ kind, name }: { kind: string; name: string }) {
  const t = useTranslations("jobs.failed");
  const utils = api.useUtils();
  const retry = useAction(() => call.jobs.retryFailed.mutate({ body: { kind } }), {
    onSuccess: () => utils.jobs.invalidate(),
  });
  return (
    <Button size="sm" labelSuffix={name} working={retry.isPending} onClick={() => void retry.run()}>
      {t("retry")}
    </Button>
  );
}

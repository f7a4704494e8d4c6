import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listFailedWork } from "@/server/domains/platform/jobs/contract";

type FailedWork = Output<typeof listFailedWork>["data"][number];

/** Failed work by kind. Invoices are in the queue, by name and amount. */
export function FailedWorkCard({ work }: { work: readonly FailedWork[] }) {
  const t = useTranslations("jobs");
  const items = work.filter(({ kind }) => kind !== "documents");
  return (
    <Card
      title={t("failed.title")}
      actions={
        <LinkButton size="sm" href="/admin/jobs" labelSuffix={t("failed.title")}>
          {t("failed.open")}
        </LinkButton>
      }
      flush={items.length > 0}
    >
      {items.length === 0 ? (
        <p className="text-fg-muted text-sm">{t("failed.none")}</p>
      ) : (
        <ul className="divide-y divide-border border-border border-t">
          {items.map(({ kind, count, since, page }) => {
            const name = t.has(`kinds.${kind}` as "kinds.mails") ? t(`kinds.${kind}` as "kinds.mails") : kind;
            return (
              <li key={kind} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
                <span className="min-w-36 flex-1 text-sm">
                  <span className="block font-medium">{name}</span>
                  {since ? (
                    <span className="block text-compact text-fg-muted">
                      {t.rich("failed.since", { time: () => <Time value={since} show="date" /> })}
                    </span>
                  ) : null}
                </span>
                <StatusChip tone="danger">{t("failed.count", { count })}</StatusChip>
                {page ? (
                  <LinkButton size="sm" href={page as Route} labelSuffix={name}>
                    {t("failed.open")}
                  </LinkButton>
                ) : null}
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

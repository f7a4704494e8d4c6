import { useTranslations } from "next-intl";
import { getAccountPath } from "@/components/billing/records/admin-paths";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listFactorResets } from "@/server/domains/tenancy/factor-resets/contract";

export function WaitingResets({ resets }: { resets: Output<typeof listFactorResets>["resets"] }) {
  const t = useTranslations("admin.factorReset");
  return (
    <Card title={t("listTitle")} flush>
      <ul className="divide-y divide-border border-border border-t">
        {resets.map(({ id, user, approval_due, run_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-sm">
            <span className="wrap-anywhere min-w-48 flex-1">
              <bdi className="block font-medium">{user.name}</bdi>
              <span className="text-fg-muted">
                <span>{`${t(approval_due ? "approvalDue" : "timeDue")} · `}</span>
                <Time value={run_at} />
              </span>
            </span>
            <LinkButton size="sm" href={getAccountPath(user.id)} labelSuffix={user.name}>
              {t("show")}
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}

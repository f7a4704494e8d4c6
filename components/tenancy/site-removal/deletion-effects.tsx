"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { getSiteRemoval } from "@/server/domains/tenancy/site-removal/contract";

type RemovalForecast = Output<typeof getSiteRemoval>;

export function DeletionEffects({ forecast }: { forecast: RemovalForecast }) {
  const t = useTranslations("sites.deletion");
  const {
    agents,
    invitations: invitationCount,
    connections,
    external_keys: externalKeys,
    mail_account: senderAddress,
    licence,
    slot,
  } = forecast;
  return (
    <ul className="flex list-disc flex-col gap-1.5 ps-5 text-sm">
      <li>{t("content")}</li>
      {agents.length > 0 ? (
        <li>
          {t.rich("agents", {
            count: agents.length,
            names: () => <bdi>{agents.map(({ name }) => name).join(", ")}</bdi>,
          })}
        </li>
      ) : null}
      {invitationCount > 0 ? <li>{t("invitations", { count: invitationCount })}</li> : null}
      {connections.length > 0 ? (
        <li>
          {t.rich("connections", {
            count: connections.length,
            names: () => <bdi>{connections.map(({ label }) => label).join(", ")}</bdi>,
          })}
        </li>
      ) : null}
      {externalKeys.map(({ last_four, created_at, last_used_at }) => (
        <li key={`${last_four}${created_at}`}>
          {t.rich(last_used_at ? "keyUsed" : "keyUnused", {
            key: () => <Ltr mono>{`dse_****${last_four}`}</Ltr>,
            time: () => (last_used_at ? <Time value={last_used_at} /> : null),
          })}
        </li>
      ))}
      {senderAddress ? <li>{t.rich("mail", { address: () => <Ltr>{senderAddress}</Ltr> })}</li> : null}
      {licence ? <li>{t(getLicenceTextKey(licence))}</li> : null}
      {slot ? <li>{t("slot", { plan: slot.plan })}</li> : null}
    </ul>
  );
}

function getLicenceTextKey({ status, overdue, stays_due }: NonNullable<RemovalForecast["licence"]>) {
  if (status === "active") return "licenceActive";
  if (overdue) return "licenceOverdue";
  return stays_due ? "licenceDue" : "licencePending";
}

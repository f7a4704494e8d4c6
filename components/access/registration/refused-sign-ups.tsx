"use client";

import { UserCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { getSetting } from "@/components/platform/settings/types";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listSignUpRefusals } from "@/server/domains/access/registration/contract";
import type { listSettings } from "@/server/domains/platform/settings/contract";

export interface RefusedSignUpsProps {
  initial: Output<typeof listSignUpRefusals>;
  settings: Output<typeof listSettings>;
}

export function RefusedSignUps({ initial, settings }: RefusedSignUpsProps) {
  const t = useTranslations("signUpRefusals");
  const utils = api.useUtils();
  const refusalsQuery = api.registration.listRefusals.useQuery(undefined, { initialData: initial });
  const settingsQuery = api.settings.list.useQuery(undefined, { initialData: settings });
  const setting = getSetting(settingsQuery.data.settings, "allowed_domains");
  const allowedDomains = setting.value as string[];
  const { prove, proofDialog } = useProofPrompt();
  const { isPending, run: saveAllowedDomains } = useAction(
    (domains: string[]) =>
      prove(t("title"), () =>
        call.settings.change.mutate({
          body: {
            allowed_domains: domains,
            expected_updated_at: { allowed_domains: setting.updated_at },
          },
        }),
      ),
    {
      onSuccess: () =>
        Promise.all([utils.registration.listRefusals.invalidate(), utils.settings.list.invalidate()]),
      onError: () => utils.settings.list.invalidate(),
    },
  );
  const { refusals } = refusalsQuery.data;
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      {proofDialog}
      {refusals.length === 0 ? (
        <EmptyState icon={<UserCheck />} title={t("empty")}>
          {t("emptyText")}
        </EmptyState>
      ) : (
        <Card title={t("title")} flush>
          <ul className="divide-y divide-border border-border border-t">
            {refusals.map(({ domain, reason, attempts, networks, last_at, allowed: isAllowed }) => (
              <li
                key={`${domain} ${reason}`}
                className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-sm"
              >
                <span className="wrap-anywhere min-w-48 flex-1">
                  <span className="block font-medium">
                    <Ltr>{domain || "?"}</Ltr>
                  </span>
                  <span className="text-fg-muted">
                    <span>{`${t(`reasons.${reason}`)} · ${t("count", { count: attempts, networks })} · `}</span>
                    <Time value={last_at} />
                  </span>
                </span>
                {isAllowed ? (
                  <StatusChip tone="success">{t("allowed")}</StatusChip>
                ) : reason === "honeypot" || !domain.includes(".") ? null : (
                  <Button
                    size="sm"
                    labelSuffix={domain}
                    disabled={isPending}
                    onClick={() => void saveAllowedDomains([...allowedDomains, domain])}
                  >
                    {t("allow")}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title={t("allowedTitle")} description={t("allowedText")}>
        {allowedDomains.length === 0 ? (
          <p className="text-fg-muted text-sm">{t("allowedNone")}</p>
        ) : (
          <ul className="flex flex-col gap-2">
            {allowedDomains.map((domain) => (
              <li key={domain} className="flex flex-wrap items-center justify-between gap-2 text-sm">
                <span className="wrap-anywhere">
                  <Ltr>{domain}</Ltr>
                </span>
                <Button
                  size="sm"
                  labelSuffix={domain}
                  disabled={isPending}
                  onClick={() =>
                    void saveAllowedDomains(
                      allowedDomains.filter((allowedDomain) => allowedDomain !== domain),
                    )
                  }
                >
                  {t("remove")}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

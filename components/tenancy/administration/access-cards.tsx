"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { lazyPart } from "@/components/ui/lazy-part";
import { ReasonAction } from "./reason-action";
import type { UserDetail } from "./types";
import { useRefreshAccount } from "./use-refresh-account";

const FactorResetPanel = lazyPart(() =>
  import("@/components/tenancy/factor-resets/reset-panel").then((file) => file.FactorResetPanel),
);

interface AccountCardProps {
  user: UserDetail;
  viewerId: number;
}

/** Shown when the account is deactivated, or is the viewer's own. */
export function AccessCard({ user, viewerId }: AccountCardProps) {
  const t = useTranslations("admin.access");
  if (user.id === viewerId)
    return (
      <Card title={t("title")}>
        <FormAlert tone="info">{t("self")}</FormAlert>
      </Card>
    );
  if (user.is_active) return null;
  return (
    <Card title={t("title")}>
      <div className="flex flex-col gap-4">
        {user.deactivated_by ? <p className="text-sm">{t(`by.${user.deactivated_by}`)}</p> : null}
        <StatusAction user={user} />
      </div>
    </Card>
  );
}

/** Deactivation and reset of the second factor. */
export function DangerCard({ user, viewerId }: AccountCardProps) {
  const t = useTranslations("admin");
  if (user.id === viewerId || !(user.is_active || user.two_factor)) return null;
  return (
    <Card tone="danger" title={t("danger.title")}>
      <div className="flex flex-col gap-6">
        {user.is_active ? (
          <section aria-label={t("access.deactivate")} className="flex flex-col gap-2">
            <h3 className="font-medium text-sm">{t("access.deactivate")}</h3>
            <StatusAction user={user} />
          </section>
        ) : null}
        {user.two_factor ? (
          <section aria-label={t("factorReset.title")} className="flex flex-col items-start gap-3">
            <h3 className="font-medium text-sm">{t("factorReset.title")}</h3>
            <FactorReset user={user} viewerId={viewerId} />
          </section>
        ) : null}
      </div>
    </Card>
  );
}

function StatusAction({ user: { id, is_active: isActive } }: { user: UserDetail }) {
  const t = useTranslations("admin.access");
  const refreshAccount = useRefreshAccount();
  const { prove, proofDialog } = useProofPrompt();
  const label = t(isActive ? "deactivate" : "activate");
  return (
    <>
      <ReasonAction
        danger={isActive}
        label={label}
        text={t(isActive ? "deactivateText" : "activateText")}
        run={(reason) =>
          prove(label, () =>
            call.administration.setStatus.mutate({
              params: { id: String(id) },
              body: { is_active: !isActive, reason },
            }),
          )
        }
        onDone={refreshAccount}
      />
      {proofDialog}
    </>
  );
}

function FactorReset({ user, viewerId }: AccountCardProps) {
  const t = useTranslations("admin.factorReset");
  const [open, setOpen] = useState(false);
  if (open) return <FactorResetPanel userId={user.id} viewerId={viewerId} />;
  return <Button onClick={() => setOpen(true)}>{t("open")}</Button>;
}

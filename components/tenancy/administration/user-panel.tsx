"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { AccessCard, DangerCard } from "./access-cards";
import { AccountGates } from "./gates";
import type { UserDetail } from "./types";
import { getFixedRoleReason, UserFacts } from "./user-account";

export function UserPanel({ user, viewerId }: { user: UserDetail; viewerId: number }) {
  const t = useTranslations("admin");
  const fixedRoleReason = getFixedRoleReason(user, viewerId);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card title={t("user.facts")}>
        <UserFacts user={user} detail={user} />
        {fixedRoleReason && !user.anonymised_at ? (
          <p className="mt-4 text-compact text-fg-muted">{t(`change.fixed.${fixedRoleReason}`)}</p>
        ) : null}
        <div className="mt-4 flex flex-wrap gap-2">
          <LinkButton href={`/admin/audit?q=${user.id}` as Route}>{t("access.log")}</LinkButton>
          {user.anonymised_at ? null : (
            <LinkButton href={`/admin/mails?q=${encodeURIComponent(user.email)}` as Route}>
              {t("access.mails")}
            </LinkButton>
          )}
        </div>
      </Card>
      {user.anonymised_at ? (
        <FormAlert tone="info">{t("user.anonymised")}</FormAlert>
      ) : (
        <div className="flex min-w-0 flex-col gap-6">
          <Card title={t("gates.title")}>
            <AccountGates id={user.id} inCard />
          </Card>
          <AccessCard user={user} viewerId={viewerId} />
          <DangerCard user={user} viewerId={viewerId} />
        </div>
      )}
    </div>
  );
}

"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { lazyPart } from "@/components/ui/lazy-part";
import { LinkButton } from "@/components/ui/link-button";
import { AccountAccessCard } from "./access-card";
import { AccountGates } from "./gates";
import type { UserDetail } from "./types";
import { RoleSection, UserFacts } from "./user-account";

const ResellerForm = lazyPart(() => import("./reseller-form").then((file) => file.ResellerForm));

const ParentForm = lazyPart(() => import("./parent-form").then((file) => file.ParentForm));

const FactorResetPanel = lazyPart(() =>
  import("@/components/tenancy/factor-resets/reset-panel").then((file) => file.FactorResetPanel),
);

export function UserPanel({ user, viewerId }: { user: UserDetail; viewerId: number }) {
  const t = useTranslations("admin");
  const router = useRouter();
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card title={t("user.facts")}>
        <UserFacts user={user} detail={user} />
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
          <AccountAccessCard user={user} viewerId={viewerId} />
          {user.two_factor && user.id !== viewerId ? (
            <Card title={t("factorReset.title")}>
              <FactorReset user={user} viewerId={viewerId} />
            </Card>
          ) : null}
          <Card title={t("change.title")}>
            <RoleSection user={user} viewerId={viewerId} onSaved={router.refresh} />
          </Card>
          {user.role === "user" && !user.is_agent_only && !user.parent ? (
            <Card title={t("resellerChange.label")}>
              <RelatedAccount
                changeLabel={t("resellerChange.title")}
                noneLabel={t("resellerChange.none")}
                account={user.reseller}
                renderForm={(onSaved) => <ResellerForm user={user} onSaved={onSaved} />}
              />
            </Card>
          ) : null}
          {user.role === "user" && !user.is_agent_only ? (
            <Card title={t("parentChange.label")}>
              <RelatedAccount
                changeLabel={t("parentChange.title")}
                noneLabel={t("parentChange.none")}
                account={user.parent}
                renderForm={(onSaved) => <ParentForm user={user} onSaved={onSaved} />}
              />
            </Card>
          ) : null}
        </div>
      )}
    </div>
  );
}

function FactorReset({ user, viewerId }: { user: UserDetail; viewerId: number }) {
  const t = useTranslations("admin.factorReset");
  const [open, setOpen] = useState(false);
  if (open) return <FactorResetPanel userId={user.id} viewerId={viewerId} />;
  return <Button onClick={() => setOpen(true)}>{t("open")}</Button>;
}

interface RelatedAccountProps {
  changeLabel: string;
  noneLabel: string;
  account: UserDetail["reseller"];
  renderForm: (onSaved: () => void) => ReactNode;
}

function RelatedAccount({ changeLabel, noneLabel, account, renderForm }: RelatedAccountProps) {
  const router = useRouter();
  const [isChanging, setIsChanging] = useState(false);
  if (isChanging)
    return renderForm(() => {
      setIsChanging(false);
      router.refresh();
    });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">{account ? <bdi>{account.name}</bdi> : noneLabel}</p>
      <div>
        <Button onClick={() => setIsChanging(true)}>{changeLabel}</Button>
      </div>
    </div>
  );
}

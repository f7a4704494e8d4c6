"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { AdjustCredits } from "@/components/billing/credits/adjust-credits";
import { useErrorText } from "@/components/form/use-error-text";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Drawer } from "@/components/ui/drawer";
import { ErrorState } from "@/components/ui/error-state";
import { FormAlert } from "@/components/ui/form-alert";
import { KeyValue } from "@/components/ui/key-value";
import { Num } from "@/components/ui/number";
import { SkeletonRows } from "@/components/ui/skeleton";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { UserRow } from "./types";
import { UserState } from "./use-user-columns";

const RoleForm = dynamic(() => import("./role-form").then((file) => file.RoleForm), { ssr: false });

export interface UserDrawerProps {
  user: UserRow;
  self: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** An account: facts, what keeps it from signing in, and its role. */
export function UserDrawer({ user, self, open, onOpenChange }: UserDrawerProps) {
  const t = useTranslations("admin");
  const fixed =
    user.id === self ? "self" : user.is_agent_only ? "agent" : !user.email_verified_at && "address";
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={<bdi>{user.name}</bdi>}>
      <div className="flex flex-col gap-8">
        <KeyValue
          items={[
            {
              key: "email",
              label: t("column.email"),
              value: <Ltr>{user.email}</Ltr>,
              action: <CopyButton compact text={user.email} />,
            },
            { key: "id", label: t("id"), value: <Ltr mono>{user.id}</Ltr> },
            {
              key: "role",
              label: t("column.role"),
              value: t(user.is_agent_only ? "role.agent" : `role.${user.role}`),
            },
            ...(user.role === "reseller"
              ? [
                  {
                    key: "agreement",
                    label: t("agreement"),
                    value: user.agreement_signed_at ? (
                      <Time value={user.agreement_signed_at} show="date" />
                    ) : (
                      t("agreementNone")
                    ),
                  },
                ]
              : []),
            { key: "state", label: t("column.state"), value: <UserState user={user} /> },
            { key: "sites", label: t("column.sites"), value: <Num value={user.sites_count} /> },
            { key: "created", label: t("column.created"), value: <Time value={user.created_at} /> },
          ]}
        />
        <section aria-label={t("gates.title")} className="flex flex-col gap-3">
          <h3 className="font-semibold text-sm">{t("gates.title")}</h3>
          <Gates id={user.id} />
        </section>
        {user.is_agent_only ? null : (
          <section aria-label={t("credits")} className="flex flex-col gap-4">
            <h3 className="font-semibold text-sm">{t("credits")}</h3>
            <AdjustCredits userId={user.id} />
          </section>
        )}
        <section aria-label={t("change.title")} className="flex flex-col gap-4">
          <h3 className="font-semibold text-sm">{t("change.title")}</h3>
          {fixed ? (
            <FormAlert tone="info">{t(`change.fixed.${fixed}`)}</FormAlert>
          ) : (
            <ChangeRole user={user} onSaved={() => onOpenChange(false)} />
          )}
        </section>
      </div>
    </Drawer>
  );
}

/** A button first: a form would take the focus, and the facts above it out of sight. */
function ChangeRole(props: { user: UserRow; onSaved: () => void }) {
  const t = useTranslations("admin.change");
  const [changing, setChanging] = useState(false);
  if (changing) return <RoleForm {...props} />;
  return (
    <div>
      <Button onClick={() => setChanging(true)}>{t("title")}</Button>
    </div>
  );
}

/** The checks of a sign-in, in their order, with the text that the person would see. */
function Gates({ id }: { id: number }) {
  const t = useTranslations("admin.gates");
  const errorText = useErrorText();
  const gates = api.signIn.explainGates.useQuery({ params: { id: String(id) } });
  if (gates.error) return <ErrorState onRetry={gates.refetch}>{errorText(gates.error)}</ErrorState>;
  if (!gates.data) return <SkeletonRows rows={4} />;
  return (
    <ol className="divide-y divide-border">
      {gates.data.gates.map(({ gate, open, reason }) => (
        <li key={gate} className="flex flex-col gap-1 py-2.5 text-sm first:pt-0 last:pb-0">
          <span className="flex flex-wrap items-center justify-between gap-2">
            {t(gate)}
            <StatusChip tone={open ? "success" : "warning"}>{t(open ? "open" : "closed")}</StatusChip>
          </span>
          {reason ? <span className="text-compact text-fg-muted">{reason}</span> : null}
        </li>
      ))}
    </ol>
  );
}

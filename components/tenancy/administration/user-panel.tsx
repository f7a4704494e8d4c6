"use client";

import type { Route } from "next";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { AccessCard } from "./access-card";
import { Gates } from "./gates";
import type { UserDetail } from "./types";
import { UserFacts, UserRole } from "./user-account";

const ResellerForm = dynamic(() => import("./reseller-form").then((file) => file.ResellerForm), {
  ssr: false,
});

const ParentForm = dynamic(() => import("./parent-form").then((file) => file.ParentForm), { ssr: false });

const ResetPanel = dynamic(
  () => import("@/components/tenancy/factor-resets/reset-panel").then((file) => file.ResetPanel),
  { ssr: false },
);

export function UserPanel({ user, self }: { user: UserDetail; self: number }) {
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
            <Gates id={user.id} inCard />
          </Card>
          <AccessCard user={user} self={self} />
          {user.two_factor && user.id !== self ? (
            <Card title={t("factorReset.title")}>
              <FactorReset user={user} self={self} />
            </Card>
          ) : null}
          <Card title={t("change.title")}>
            <UserRole user={user} self={self} onSaved={router.refresh} />
          </Card>
          {user.role === "user" && !user.is_agent_only && !user.parent ? (
            <Card title={t("resellerChange.label")}>
              <RelatedAccount
                title={t("resellerChange.title")}
                none={t("resellerChange.none")}
                person={user.reseller}
                form={(onSaved) => <ResellerForm user={user} onSaved={onSaved} />}
              />
            </Card>
          ) : null}
          {user.role === "user" && !user.is_agent_only ? (
            <Card title={t("parentChange.label")}>
              <RelatedAccount
                title={t("parentChange.title")}
                none={t("parentChange.none")}
                person={user.parent}
                form={(onSaved) => <ParentForm user={user} onSaved={onSaved} />}
              />
            </Card>
          ) : null}
        </div>
      )}
    </div>
  );
}

/** Starts as a button, because few visitors need it. */
function FactorReset({ user, self }: { user: UserDetail; self: number }) {
  const t = useTranslations("admin.factorReset");
  const [open, setOpen] = useState(false);
  if (open) return <ResetPanel userId={user.id} self={self} />;
  return <Button onClick={() => setOpen(true)}>{t("open")}</Button>;
}

interface RelatedAccountProps {
  title: string;
  none: string;
  person: UserDetail["reseller"];
  form: (onSaved: () => void) => ReactNode;
}

/** Parent or reseller of the account. Starts as a button, because a form would take the focus. */
function RelatedAccount({ title, none, person, form }: RelatedAccountProps) {
  const router = useRouter();
  const [changing, setChanging] = useState(false);
  if (changing)
    return form(() => {
      setChanging(false);
      router.refresh();
    });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">{person ? <bdi>{person.name}</bdi> : none}</p>
      <div>
        <Button onClick={() => setChanging(true)}>{title}</Button>
      </div>
    </div>
  );
}

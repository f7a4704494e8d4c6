"use client";

import { useTranslations } from "next-intl";
import { AdjustCredits } from "@/components/accounts/credits/adjust-credits";
import { AccountGates } from "./gates";
import type { UserRow } from "./types";
import { RoleSection, UserFacts } from "./user-account";

export interface UserPeekProps {
  user: UserRow;
  viewerId: number;
  onSaved: () => void;
}

export function UserPeek({ user, viewerId, onSaved }: UserPeekProps) {
  const t = useTranslations("admin");
  return (
    <div className="flex flex-col gap-8">
      <UserFacts user={user} />
      <section aria-label={t("gates.title")} className="flex flex-col gap-3">
        <h3 className="font-semibold text-sm">{t("gates.title")}</h3>
        <AccountGates id={user.id} />
      </section>
      {user.is_agent_only ? null : (
        <section aria-label={t("credits")} className="flex flex-col gap-4">
          <h3 className="font-semibold text-sm">{t("credits")}</h3>
          <AdjustCredits userId={user.id} />
        </section>
      )}
      <section aria-label={t("change.title")} className="flex flex-col gap-4">
        <h3 className="font-semibold text-sm">{t("change.title")}</h3>
        <RoleSection user={user} viewerId={viewerId} onSaved={onSaved} />
      </section>
    </div>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { AdjustCredits } from "@/components/accounts/credits/adjust-credits";
import { getAccountPath } from "@/components/billing/records/admin-paths";
import { Drawer } from "@/components/ui/drawer";
import { LinkButton } from "@/components/ui/link-button";
import { AccountGates } from "./gates";
import type { UserRow } from "./types";
import { RoleSection, UserFacts } from "./user-account";

export interface UserDrawerProps {
  user: UserRow;
  viewerId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function UserDrawer({ user, viewerId, open, onOpenChange }: UserDrawerProps) {
  const t = useTranslations("admin");
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={<bdi>{user.name}</bdi>}>
      <div className="flex flex-col gap-8">
        <UserFacts user={user} />
        <div>
          <LinkButton href={getAccountPath(user.id)}>{t("user.open")}</LinkButton>
        </div>
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
          <RoleSection user={user} viewerId={viewerId} onSaved={() => onOpenChange(false)} />
        </section>
      </div>
    </Drawer>
  );
}

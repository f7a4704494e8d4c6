"use client";

import { useTranslations } from "next-intl";
import { AdjustCredits } from "@/components/accounts/credits/adjust-credits";
import { accountPath } from "@/components/billing/records/account-path";
import { Drawer } from "@/components/ui/drawer";
import { LinkButton } from "@/components/ui/link-button";
import { Gates } from "./gates";
import type { UserRow } from "./types";
import { UserFacts, UserRole } from "./user-account";

export interface UserDrawerProps {
  user: UserRow;
  self: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function UserDrawer({ user, self, open, onOpenChange }: UserDrawerProps) {
  const t = useTranslations("admin");
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={<bdi>{user.name}</bdi>}>
      <div className="flex flex-col gap-8">
        <UserFacts user={user} />
        <div>
          <LinkButton href={accountPath(user.id)}>{t("user.open")}</LinkButton>
        </div>
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
          <UserRole user={user} self={self} onSaved={() => onOpenChange(false)} />
        </section>
      </div>
    </Drawer>
  );
}

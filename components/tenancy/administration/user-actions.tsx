"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu, MenuItem } from "@/components/ui/menu";
import type { UserDetail } from "./types";
import { useRefreshAccount } from "./use-refresh-account";
import { getFixedRoleReason } from "./user-account";

const RoleForm = lazyPart(() => import("./role-form").then((file) => file.RoleForm));
const ResellerForm = lazyPart(() => import("./reseller-form").then((file) => file.ResellerForm));
const ParentForm = lazyPart(() => import("./parent-form").then((file) => file.ParentForm));
const ReasonForm = lazyPart(() => import("./reason-form").then((file) => file.ReasonForm));

const FORMS = { role: RoleForm, reseller: ResellerForm, parent: ParentForm, signOut: ReasonForm };

type Action = keyof typeof FORMS;

/** Changes of an account that an administrator makes from the page's header. */
export function UserActions({ user, viewerId }: { user: UserDetail; viewerId: number }) {
  const t = useTranslations("admin");
  const refreshAccount = useRefreshAccount();
  const { prove, proofDialog } = useProofPrompt();
  const [open, setOpen] = useState<Action>();
  const isCustomer = user.role === "user" && !user.is_agent_only;
  const labels: Partial<Record<Action, string>> = {
    ...(getFixedRoleReason(user, viewerId) ? {} : { role: t("change.title") }),
    ...(isCustomer && !user.parent ? { reseller: t("resellerChange.title") } : {}),
    ...(isCustomer ? { parent: t("parentChange.title") } : {}),
    ...(user.is_active && user.id !== viewerId ? { signOut: t("access.signOut") } : {}),
  };
  const actions = Object.entries(labels) as Array<[Action, string]>;
  if (user.anonymised_at || actions.length === 0) return null;

  function onSaved() {
    setOpen(undefined);
    refreshAccount();
  }

  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button>
            {t("column.menu")}
            <ChevronDown />
          </Button>
        }
      >
        {actions.map(([action, label]) => (
          <MenuItem key={action} opens={FORMS[action]} onSelect={() => setOpen(action)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      {actions.map(([action, label]) => (
        <Drawer
          key={action}
          title={label}
          open={open === action}
          onOpenChange={(isOpen) => setOpen(isOpen ? action : undefined)}
        >
          {action === "role" ? <RoleForm user={user} onSaved={onSaved} /> : null}
          {action === "reseller" ? <ResellerForm user={user} onSaved={onSaved} /> : null}
          {action === "parent" ? <ParentForm user={user} onSaved={onSaved} /> : null}
          {action === "signOut" ? (
            <div className="flex flex-col gap-3">
              <p className="text-compact text-fg-muted">{t("access.signOutText")}</p>
              <ReasonForm
                label={label}
                run={(reason) =>
                  prove(label, () =>
                    call.administration.signOut.mutate({ params: { id: String(user.id) }, body: { reason } }),
                  )
                }
                onDone={onSaved}
              />
            </div>
          ) : null}
        </Drawer>
      ))}
      {proofDialog}
    </>
  );
}

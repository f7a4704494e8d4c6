"use client";

import { Ellipsis, Pencil, UserCheck, UserX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { EditMember } from "./edit-member";
import type { Assignable, Member } from "./types";

export function MemberMenu({ member, assignable }: { member: Member; assignable: Assignable }) {
  const t = useTranslations("team");
  const utils = api.useUtils();
  const [openDialog, setOpenDialog] = useState<"edit" | "deactivate">();
  const { id, name } = member;
  const canMove = member.is_agent_only && assignable.sites.length > 0;

  const setActive = useAction(
    (is_active: boolean) => call.team.update.mutate({ params: { id: String(id) }, body: { is_active } }),
    {
      successText: (_, is_active) => t(is_active ? "reactivated" : "deactivated", { name }),
      onSuccess: () => utils.team.list.invalidate(),
    },
  );

  if (member.is_held && !canMove) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t("menu.label", { name })} icon={<Ellipsis />} size="sm" tooltip={false} />
        }
      >
        {canMove ? (
          <MenuItem icon={<Pencil />} onSelect={() => setOpenDialog("edit")}>
            {t("menu.edit")}
          </MenuItem>
        ) : null}
        {member.is_active ? (
          <MenuItem icon={<UserX />} danger onSelect={() => setOpenDialog("deactivate")}>
            {t("menu.deactivate")}
          </MenuItem>
        ) : member.is_held ? null : (
          <MenuItem icon={<UserCheck />} onSelect={() => setActive.run(true)}>
            {t("menu.reactivate")}
          </MenuItem>
        )}
      </Menu>
      <EditMember
        member={member}
        assignable={assignable}
        open={openDialog === "edit"}
        onOpenChange={(next) => setOpenDialog(next ? "edit" : undefined)}
      />
      <AlertDialog
        open={openDialog === "deactivate"}
        onOpenChange={(next) => setOpenDialog(next ? "deactivate" : undefined)}
        title={t.rich("deactivate.title", { name: () => <bdi>{name}</bdi> })}
        description={t("deactivate.text")}
        confirmLabel={t("deactivate.confirm")}
        onConfirm={() => setActive.attempt(false)}
      />
    </>
  );
}

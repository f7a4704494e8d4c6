"use client";

import { Ellipsis, Pencil, UserCheck, UserX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Drawer } from "@/components/ui/drawer";
import { IconButton } from "@/components/ui/icon-button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu, MenuItem } from "@/components/ui/menu";
import type { Assignable, Member } from "./types";

const EditMemberForm = lazyPart(() => import("./edit-form").then((file) => file.EditMemberForm));

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
          <MenuItem icon={<Pencil />} opens={EditMemberForm} onSelect={() => setOpenDialog("edit")}>
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
      <Drawer
        open={openDialog === "edit"}
        onOpenChange={(next) => setOpenDialog(next ? "edit" : undefined)}
        title={t.rich("edit.title", { name: () => <bdi>{name}</bdi> })}
      >
        <EditMemberForm member={member} assignable={assignable} onSaved={() => setOpenDialog(undefined)} />
      </Drawer>
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

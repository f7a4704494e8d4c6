"use client";

import { UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DrawerButton } from "@/components/ui/drawer-button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { Assignable } from "./types";

const InviteMemberForm = lazyPart(() => import("./invite-form").then((file) => file.InviteMemberForm));

export function InviteMember({ assignable }: { assignable: Assignable }) {
  const t = useTranslations("team.invite");
  return (
    <DrawerButton icon={<UserPlus />} label={t("open")} title={t("title")} preload={InviteMemberForm.preload}>
      {(close) => <InviteMemberForm assignable={assignable} onInvited={close} />}
    </DrawerButton>
  );
}

"use client";

import { UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { DrawerButton } from "@/components/ui/drawer-button";
import type { Assignable } from "./types";

const InviteMemberForm = dynamic(() => import("./invite-form").then((file) => file.InviteMemberForm), {
  ssr: false,
});

export function InviteMember({ assignable }: { assignable: Assignable }) {
  const t = useTranslations("team.invite");
  return (
    <DrawerButton icon={<UserPlus />} label={t("open")} title={t("title")}>
      {(close) => <InviteMemberForm assignable={assignable} onInvited={close} />}
    </DrawerButton>
  );
}

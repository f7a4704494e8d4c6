"use client";

import { UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import type { Assignable } from "./types";

const InviteForm = dynamic(() => import("./invite-form").then((file) => file.InviteForm), { ssr: false });

/** The button and its drawer: whom to invite, in which role and with which site. */
export function InviteMember({ assignable }: { assignable: Assignable }) {
  const t = useTranslations("team.invite");
  const [open, setOpen] = useState(false);
  return (
    <Drawer
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="primary" icon={<UserPlus />}>
          {t("open")}
        </Button>
      }
      title={t("title")}
    >
      <InviteForm assignable={assignable} onInvited={() => setOpen(false)} />
    </Drawer>
  );
}

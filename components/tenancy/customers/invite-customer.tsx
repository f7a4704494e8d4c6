"use client";

import { UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";

const InviteForm = dynamic(() => import("./invite-form").then((file) => file.InviteForm), { ssr: false });

/** The button and its drawer: whom to invite. */
export function InviteCustomer() {
  const t = useTranslations("customers.invite");
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
      title={t("open")}
    >
      <InviteForm onInvited={() => setOpen(false)} />
    </Drawer>
  );
}

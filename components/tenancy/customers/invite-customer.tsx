"use client";

import { UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { DrawerButton } from "@/components/ui/drawer-button";

const InviteCustomerForm = dynamic(() => import("./invite-form").then((file) => file.InviteCustomerForm), {
  ssr: false,
});

export function InviteCustomer() {
  const t = useTranslations("customers.invite");
  return (
    <DrawerButton icon={<UserPlus />} label={t("open")}>
      {(close) => <InviteCustomerForm onInvited={close} />}
    </DrawerButton>
  );
}

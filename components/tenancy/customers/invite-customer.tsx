"use client";

import { UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DrawerButton } from "@/components/ui/drawer-button";
import { lazyPart } from "@/components/ui/lazy-part";

const InviteCustomerForm = lazyPart(() => import("./invite-form").then((file) => file.InviteCustomerForm));

export function InviteCustomer() {
  const t = useTranslations("customers.invite");
  return (
    <DrawerButton icon={<UserPlus />} label={t("open")} preload={InviteCustomerForm.preload}>
      {(close) => <InviteCustomerForm onInvited={close} />}
    </DrawerButton>
  );
}

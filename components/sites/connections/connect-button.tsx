"use client";

import { Plug } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { DrawerButton } from "@/components/ui/drawer-button";
import type { OwnSite } from "./types";

const ConnectForm = dynamic(() => import("./connect-form").then((file) => file.ConnectForm), { ssr: false });

export function ConnectButton({ sites }: { sites: readonly OwnSite[] }) {
  const t = useTranslations("connections.connect");
  return (
    <DrawerButton icon={<Plug />} label={t("open")} title={t("title")}>
      {(close) => <ConnectForm sites={sites} onConnected={close} />}
    </DrawerButton>
  );
}

"use client";

import { Plug } from "lucide-react";
import { useTranslations } from "next-intl";
import { DrawerButton } from "@/components/ui/drawer-button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { OwnSite } from "./types";

const ConnectForm = lazyPart(() => import("./connect-form").then((file) => file.ConnectForm));

export function ConnectButton({ sites }: { sites: readonly OwnSite[] }) {
  const t = useTranslations("connections.connect");
  return (
    <DrawerButton icon={<Plug />} label={t("open")} title={t("title")} preload={ConnectForm.preload}>
      {(close) => <ConnectForm sites={sites} onConnected={close} />}
    </DrawerButton>
  );
}

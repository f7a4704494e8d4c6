"use client";

import { Plug } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import type { OwnSite } from "./types";

const ConnectForm = dynamic(() => import("./connect-form").then((file) => file.ConnectForm), { ssr: false });

/** The button and its drawer: which channel, and what its party asks for. */
export function ConnectButton({ sites }: { sites: readonly OwnSite[] }) {
  const t = useTranslations("connections.connect");
  const [open, setOpen] = useState(false);
  return (
    <Drawer
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="primary" icon={<Plug />}>
          {t("open")}
        </Button>
      }
      title={t("title")}
    >
      <ConnectForm sites={sites} onConnected={() => setOpen(false)} />
    </Drawer>
  );
}

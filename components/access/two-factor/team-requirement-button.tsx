"use client";

import { ShieldCheck } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";

const TeamRequirement = dynamic(() => import("./team-requirement").then((file) => file.TeamRequirement), {
  ssr: false,
});

export function TeamRequirementButton() {
  const t = useTranslations("factorDuty.team");
  const [open, setOpen] = useState(false);
  return (
    <Drawer
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<ShieldCheck />}>{t("open")}</Button>}
      title={t("title")}
    >
      <TeamRequirement />
    </Drawer>
  );
}

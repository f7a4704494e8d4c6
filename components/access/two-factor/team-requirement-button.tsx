"use client";

import { ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { lazyPart } from "@/components/ui/lazy-part";

const TeamRequirement = lazyPart(() => import("./team-requirement").then((file) => file.TeamRequirement));

export function TeamRequirementButton() {
  const t = useTranslations("factorDuty.team");
  const [open, setOpen] = useState(false);
  return (
    <Drawer
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<ShieldCheck />}>{t("open")}</Button>}
      title={t("title")}
      preload={TeamRequirement.preload}
    >
      <TeamRequirement />
    </Drawer>
  );
}

"use client";

import { Eye } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { DrawerButton } from "@/components/ui/drawer-button";

const ViewForm = dynamic(() => import("./view-form").then((file) => file.ViewForm), { ssr: false });

export interface ViewAsButtonProps {
  target: { id: number; name: string };
  until: string | null;
}

export function ViewAsButton({ target, until }: ViewAsButtonProps) {
  const t = useTranslations("viewAs");
  if (until === null) return <p className="max-w-[42ch] text-fg-muted text-sm">{t("off")}</p>;
  return (
    <DrawerButton isCreateButton={false} icon={<Eye />} label={t("open")}>
      {() => <ViewForm target={target} />}
    </DrawerButton>
  );
}

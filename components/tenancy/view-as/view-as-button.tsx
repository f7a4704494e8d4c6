"use client";

import { Eye } from "lucide-react";
import { useTranslations } from "next-intl";
import { DrawerButton } from "@/components/ui/drawer-button";
import { lazyPart } from "@/components/ui/lazy-part";

const StartViewForm = lazyPart(() => import("./view-form").then((file) => file.StartViewAsForm));

export interface ViewAsButtonProps {
  target: { id: number; name: string };
  permittedUntil: string | null;
}

export function ViewAsButton({ target, permittedUntil }: ViewAsButtonProps) {
  const t = useTranslations("viewAs");
  if (permittedUntil === null) return <p className="max-w-[42ch] text-fg-muted text-sm">{t("off")}</p>;
  return (
    <DrawerButton isCreateButton={false} icon={<Eye />} label={t("open")} preload={StartViewForm.preload}>
      {() => <StartViewForm target={target} />}
    </DrawerButton>
  );
}

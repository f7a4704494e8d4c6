"use client";

import { LayoutGrid, List } from "lucide-react";
import { useTranslations } from "next-intl";
import { IconButton } from "@/components/ui/icon-button";

export type MediaView = "grid" | "list";

export function ViewSwitch({ value, onChange }: { value: MediaView; onChange: (view: MediaView) => void }) {
  const t = useTranslations("media.view");
  return (
    <fieldset className="flex gap-1" aria-label={t("label")}>
      <IconButton
        size="sm"
        label={t("grid")}
        icon={<LayoutGrid />}
        variant={value === "grid" ? "secondary" : "ghost"}
        aria-pressed={value === "grid"}
        onClick={() => onChange("grid")}
      />
      <IconButton
        size="sm"
        label={t("list")}
        icon={<List />}
        variant={value === "list" ? "secondary" : "ghost"}
        aria-pressed={value === "list"}
        onClick={() => onChange("list")}
      />
    </fieldset>
  );
}

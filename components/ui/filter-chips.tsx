"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";

export interface FilterChip {
  id: string;
  label: string;
  onRemove: () => void;
}

export function FilterChips({ chips, onClear }: { chips: readonly FilterChip[]; onClear: () => void }) {
  const t = useTranslations("ui.filters");
  if (chips.length === 0) return null;
  return (
    <ul aria-label={t("label")} className="flex flex-wrap items-center gap-2">
      {chips.map(({ id, label, onRemove }) => (
        <li
          key={id}
          className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-full border border-border bg-sunken ps-3 text-compact"
        >
          <span className="min-w-0 truncate">{label}</span>
          <button
            type="button"
            aria-label={t("remove", { name: label })}
            onClick={onRemove}
            className="grid size-7 shrink-0 place-items-center rounded-full text-fg-muted hover:text-fg pointer-coarse:size-11"
          >
            <X className="size-3.5" />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          onClick={onClear}
          className="min-h-7 rounded-control px-1.5 text-compact text-primary-text hover:underline hover:underline-offset-4 pointer-coarse:min-h-11"
        >
          {t("clear")}
        </button>
      </li>
    </ul>
  );
}

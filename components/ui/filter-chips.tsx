"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";

export interface FilterChip {
  id: string;
  label: string;
  onRemove: () => void;
}

export interface FilterChipsProps {
  chips: readonly FilterChip[];
  /** Removes every filter, also those without a chip. */
  onClear?: () => void;
}

export function FilterChips({ chips, onClear }: FilterChipsProps) {
  const t = useTranslations("ui.filters");
  return (
    <>
      {chips.length > 0 ? (
        <ul aria-label={t("label")} className="flex min-w-0 flex-wrap items-center gap-2">
          {chips.map(({ id, label, onRemove }) => (
            <li
              key={id}
              className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-[0.875rem] border border-border bg-sunken ps-3 text-compact text-fg"
            >
              <span className="wrap-anywhere min-w-0 py-0.5">{label}</span>
              <button
                type="button"
                aria-label={t("remove", { name: label })}
                onClick={onRemove}
                data-print="never"
                className="grid size-7 shrink-0 place-items-center rounded-full text-fg-muted hover:text-fg pointer-coarse:size-11"
              >
                <X className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {onClear ? (
        <button
          type="button"
          onClick={onClear}
          data-print="never"
          className="min-h-7 rounded-control px-1.5 text-compact text-primary-text hover:underline hover:underline-offset-4 pointer-coarse:min-h-11"
        >
          {t("clear")}
        </button>
      ) : null}
    </>
  );
}

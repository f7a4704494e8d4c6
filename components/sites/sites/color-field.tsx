"use client";

import { clsx } from "clsx";
import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { FormField } from "@/components/form/form-field";
import { Input } from "@/components/ui/input";
import { getForegroundColor, parseHex } from "./contrast";

/** In upper case, as `parseHex` returns colours. */
const PRESET_COLORS = [
  "#4F46E5",
  "#2563EB",
  "#0F766E",
  "#15803D",
  "#B45309",
  "#DC2626",
  "#BE185D",
  "#7C3AED",
  "#334155",
];

export function ColorField({ name, label, hint }: { name: string; label: string; hint?: string }) {
  const t = useTranslations("sites.form");
  return (
    <FormField name={name} label={label} hint={hint} optional>
      {({ value, onChange, onBlur, ref }) => {
        const color = parseHex(String(value ?? ""));
        return (
          <div className="flex flex-wrap items-center gap-3">
            <div className="w-40">
              <Input
                ref={ref}
                name={name}
                dir="ltr"
                spellCheck={false}
                autoComplete="off"
                maxLength={7}
                value={value ?? ""}
                onBlur={() => {
                  if (color) onChange(color);
                  onBlur();
                }}
                onChange={(event) => onChange(event.target.value)}
                after={
                  <input
                    type="color"
                    aria-label={t("picker")}
                    value={(color ?? PRESET_COLORS[0] ?? "").toLowerCase()}
                    onChange={(event) => onChange(event.target.value.toUpperCase())}
                    className="size-8 cursor-pointer rounded-control border border-border-strong bg-surface p-0.5"
                  />
                }
              />
            </div>
            <div className="flex flex-wrap gap-1.5">
              {PRESET_COLORS.map((preset) => (
                <button
                  key={preset}
                  type="button"
                  aria-label={t("preset", { color: preset })}
                  aria-pressed={preset === color}
                  onClick={() => onChange(preset)}
                  style={{ backgroundColor: preset, color: getForegroundColor(preset) }}
                  className={clsx(
                    "grid size-7 place-items-center rounded-full border border-border forced-color-adjust-none pointer-coarse:size-11",
                    preset === color && "outline-2 outline-ring outline-offset-2",
                  )}
                >
                  {preset === color ? <Check /> : null}
                </button>
              ))}
            </div>
          </div>
        );
      }}
    </FormField>
  );
}

"use client";

import { useRouter } from "next/navigation";
import { applyTheme, storePreference, type Theme } from "@/components/ui/preference";

export interface PreferenceSelectProps {
  preference: "theme" | "locale";
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
}

export function PreferenceSelect({ preference, label, value, options }: PreferenceSelectProps) {
  const router = useRouter();
  return (
    <select
      aria-label={label}
      defaultValue={value}
      onChange={({ target }) => {
        if (preference === "theme") return applyTheme(target.value as Theme);
        storePreference("locale", target.value);
        router.refresh();
      }}
      // System font: the language names would load the web fonts of all scripts.
      className="h-control-small max-w-36 rounded-control border border-border-strong/55 bg-surface px-2 text-fg text-sm [font-family:system-ui,sans-serif] hover:bg-sunken"
    >
      {options.map((option) => (
        <option
          key={option.value}
          value={option.value}
          lang={preference === "locale" ? option.value : undefined}
        >
          {option.label}
        </option>
      ))}
    </select>
  );
}

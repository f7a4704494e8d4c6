"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { applyTheme, storePreference, type Theme } from "@/components/ui/preference";
import { RadioGroup } from "@/components/ui/radio-group";
import { Switch } from "@/components/ui/switch";

export type Density = "comfortable" | "compact";

function applyDensity(density: Density): void {
  if (density === "compact") document.documentElement.dataset.density = density;
  else delete document.documentElement.dataset.density;
  storePreference("density", density === "compact" ? density : null);
}

/** Appearance settings, stored in this browser. */
export function AppearanceCard(initial: { theme: Theme; density: Density; hasKeyShortcuts: boolean }) {
  const t = useTranslations();
  const [theme, setTheme] = useState(initial.theme);
  const [density, setDensity] = useState(initial.density);
  return (
    <Card title={t("settings.look.title")} description={t("settings.look.text")}>
      <div className="grid gap-6 sm:grid-cols-2">
        <Field label={t("theme.label")} group>
          <RadioGroup
            value={theme}
            onValueChange={(next) => {
              applyTheme(next);
              setTheme(next);
            }}
            options={(["light", "dark", "system"] as const).map((value) => ({
              value,
              label: t(`theme.${value}`),
            }))}
          />
        </Field>
        <Field label={t("settings.look.density")} group>
          <RadioGroup
            value={density}
            onValueChange={(next) => {
              applyDensity(next);
              setDensity(next);
            }}
            options={(["comfortable", "compact"] as const).map((value) => ({
              value,
              label: t(`settings.look.${value}`),
              hint: t(`settings.look.${value}Hint`),
            }))}
          />
        </Field>
      </div>
      <div id="keys" className="mt-6 border-border border-t pt-5">
        <Switch
          label={t("settings.look.keys")}
          hint={t("settings.look.keysHint")}
          defaultChecked={initial.hasKeyShortcuts}
          onChange={(event) => storePreference("keys", event.target.checked ? null : "off")}
        />
      </div>
    </Card>
  );
}

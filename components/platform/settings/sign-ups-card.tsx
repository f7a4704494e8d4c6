"use client";

import { useTranslations } from "next-intl";
import { FormField } from "@/components/form/form-field";
import { RadioGroup } from "@/components/ui/radio-group";
import { SettingsCard } from "./settings-card";
import type { Setting } from "./types";

const CHOICES = ["open", "invitation", "closed"] as const;
type Choice = (typeof CHOICES)[number];

/** Who may open an account for themselves. */
export function SignUpsCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.signUps");
  return (
    <SettingsCard
      settings={settings}
      keys={["sign_up"]}
      load={() => import("./forms").then((file) => file.signUpsForm)}
      valuesOf={({ sign_up }) => ({ sign_up })}
      bodyOf={(body) => body}
      title={t("title")}
      text={t("text")}
      save={t("save")}
    >
      <FormField name="sign_up" label={t("label")} group>
        {(control) => (
          <RadioGroup
            cards
            value={control.value as Choice}
            onValueChange={control.onChange}
            options={CHOICES.map((value) => ({
              value,
              label: t(`choice.${value}`),
              hint: t(`hint.${value}`),
            }))}
          />
        )}
      </FormField>
    </SettingsCard>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormNumber } from "@/components/form/form-number";
import { SettingsCard } from "./settings-card";
import type { Setting } from "./types";

/** How long a reset of somebody's second factor waits, and who has to agree. */
export function ResetsCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.resets");
  return (
    <SettingsCard
      settings={settings}
      keys={["factor_reset_delay_hours", "two_administrators"]}
      load={() => import("./forms").then((file) => file.resetsForm)}
      valuesOf={({ factor_reset_delay_hours, two_administrators }) => ({
        factor_reset_delay_hours,
        two_administrators,
      })}
      bodyOf={(body) => body}
      title={t("title")}
      text={t("text")}
      save={t("save")}
    >
      <FormNumber name="factor_reset_delay_hours" label={t("hours")} hint={t("hoursHint")} />
      <FormCheckbox name="two_administrators" label={t("two")} hint={t("twoHint")} />
    </SettingsCard>
  );
}

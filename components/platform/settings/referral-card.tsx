"use client";

import { useTranslations } from "next-intl";
import { FormNumber } from "@/components/form/form-number";
import { SettingsCard } from "./settings-card";
import type { Setting } from "./types";

/** What resellers earn by payments that are recorded from now on. */
export function ReferralCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.referral");
  return (
    <SettingsCard
      settings={settings}
      keys={["referral_rate"]}
      load={() => import("./forms").then((file) => file.referralForm)}
      valuesOf={({ referral_rate }) => ({ referral_rate })}
      bodyOf={(body) => body}
      title={t("title")}
      text={t("text")}
      save={t("save")}
    >
      <FormNumber name="referral_rate" label={t("rate")} after="%" />
    </SettingsCard>
  );
}

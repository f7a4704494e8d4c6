"use client";

import { useTranslations } from "next-intl";
import { FormNumber } from "@/components/form/form-number";
import { SettingsCard } from "./settings-card";
import type { Setting } from "./types";

/** The VAT rate of payments that are recorded from now on. */
export function VatCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.vat");
  return (
    <SettingsCard
      settings={settings}
      keys={["vat_rate"]}
      load={() => import("./forms").then((file) => file.vatForm)}
      valuesOf={({ vat_rate }) => ({ vat_rate })}
      bodyOf={(body) => body}
      title={t("title")}
      text={t("text")}
      save={t("save")}
      never={t("never")}
    >
      <FormNumber name="vat_rate" label={t("rate")} after="%" />
    </SettingsCard>
  );
}

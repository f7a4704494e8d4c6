"use client";

import { useTranslations } from "next-intl";
import { FormField } from "@/components/form/form-field";
import { SettingsCard } from "./settings-card";
import { type Setting, settingOf } from "./types";

const KEY = "final_consumer_tax_number";

/** The number on invoices to consumers who give none. */
export function ConsumerCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.consumer");
  const { source } = settingOf(settings, KEY);
  return (
    <SettingsCard
      settings={settings}
      keys={[KEY]}
      load={() => import("./forms").then((file) => file.consumerForm)}
      valuesOf={(stored) => ({ [KEY]: stored[KEY] })}
      bodyOf={(body) => body}
      title={t("title")}
      text={t("text")}
      save={t("save")}
      never={t(source === "environment" ? "environment" : "default")}
    >
      <FormField name={KEY} label={t("number")} inputMode="numeric" autoComplete="off" dir="ltr" />
    </SettingsCard>
  );
}

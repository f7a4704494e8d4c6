"use client";

import { useTranslations } from "next-intl";
import { FormField } from "@/components/form/form-field";
import { SettingsCard } from "./settings-card";
import type { Setting } from "./types";

const NONE = { holder: "", iban: "", bank: "" };

/** Where customers transfer money to. */
export function BankCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.bank");
  return (
    <SettingsCard
      settings={settings}
      keys={["bank"]}
      load={() => import("./forms").then((file) => file.bankForm)}
      valuesOf={({ bank }) => bank ?? NONE}
      bodyOf={(bank) => ({ bank })}
      title={t("title")}
      text={t("text")}
      save={t("save")}
    >
      <FormField name="holder" label={t("holder")} dir="auto" autoComplete="off" />
      <FormField name="iban" label={t("iban")} dir="ltr" autoComplete="off" spellCheck={false} />
      <FormField name="bank" label={t("bank")} dir="auto" autoComplete="off" />
    </SettingsCard>
  );
}

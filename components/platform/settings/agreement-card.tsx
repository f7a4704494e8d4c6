"use client";

import { useTranslations } from "next-intl";
import { FormNumber } from "@/components/form/form-number";
import { SettingsCard } from "./settings-card";
import type { Setting } from "./types";

/** For how long resellers go on under the agreement they signed. */
export function AgreementCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.agreement");
  return (
    <SettingsCard
      settings={settings}
      keys={["agreement_grace_days"]}
      load={() => import("./forms").then((file) => file.agreementForm)}
      valuesOf={({ agreement_grace_days }) => ({ agreement_grace_days })}
      bodyOf={(body) => body}
      title={t("title")}
      text={t("text")}
      save={t("save")}
    >
      <FormNumber name="agreement_grace_days" label={t("days")} />
    </SettingsCard>
  );
}

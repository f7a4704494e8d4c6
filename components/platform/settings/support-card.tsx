"use client";

import { useTranslations } from "next-intl";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { SettingsCard } from "./settings-card";
import type { Setting } from "./types";

/** Whom people ask for help. */
export function SupportCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.support");
  return (
    <SettingsCard
      settings={settings}
      keys={["support_contact"]}
      load={() => import("./forms").then((file) => file.supportForm)}
      valuesOf={({ support_contact: contact }) => ({ email: contact?.email ?? "", url: contact?.url ?? "" })}
      bodyOf={(contact) => ({ support_contact: contact })}
      title={t("title")}
      text={t("text")}
      save={t("save")}
      never={t("never")}
    >
      <FormEmail name="email" label={t("email")} autoComplete="off" />
      <FormField name="url" label={t("url")} type="url" autoComplete="off" dir="ltr" optional />
    </SettingsCard>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { FormNumber } from "@/components/form/form-number";
import { RadioGroup } from "@/components/ui/radio-group";
import { SettingsCard } from "./settings-card";
import { getSetting, type Setting } from "./types";

interface CardProps {
  settings: readonly Setting[];
}

const EMPTY_BANK = { holder: "", iban: "", bank: "" };

export function BankCard({ settings }: CardProps) {
  const t = useTranslations("platformSettings.bank");
  return (
    <SettingsCard
      name="bank"
      settings={settings}
      keys={["bank"]}
      getInitialValues={({ bank }) => bank ?? EMPTY_BANK}
      buildBody={(bank) => ({ bank })}
      neverText={t("never")}
    >
      <FormField name="holder" label={t("holder")} dir="auto" autoComplete="off" />
      <FormField name="iban" label={t("iban")} dir="ltr" autoComplete="off" spellCheck={false} />
      <FormField name="bank" label={t("bank")} dir="auto" autoComplete="off" />
    </SettingsCard>
  );
}

export function VatCard({ settings }: CardProps) {
  const t = useTranslations("platformSettings.vat");
  return (
    <SettingsCard name="vat" settings={settings} keys={["vat_rate"]} neverText={t("never")}>
      <FormNumber name="vat_rate" label={t("rate")} after="%" />
    </SettingsCard>
  );
}

export function TrialCard({ settings }: CardProps) {
  const t = useTranslations("platformSettings.trial");
  return (
    <SettingsCard name="trial" settings={settings} keys={["trial_days", "trial_slots"]}>
      <FormNumber name="trial_days" label={t("days")} hint={t("daysHint")} />
      <FormNumber name="trial_slots" label={t("slots")} />
    </SettingsCard>
  );
}

export function ReferralCard({ settings }: CardProps) {
  const t = useTranslations("platformSettings.referral");
  return (
    <SettingsCard name="referral" settings={settings} keys={["referral_rate"]}>
      <FormNumber name="referral_rate" label={t("rate")} after="%" />
    </SettingsCard>
  );
}

/** Days for which an older signature of the reseller agreement stays valid. */
export function AgreementCard({ settings }: CardProps) {
  const t = useTranslations("platformSettings.agreement");
  return (
    <SettingsCard name="agreement" settings={settings} keys={["agreement_grace_days"]}>
      <FormNumber name="agreement_grace_days" label={t("days")} />
    </SettingsCard>
  );
}

export function ConsumerCard({ settings }: CardProps) {
  const t = useTranslations("platformSettings.consumer");
  const settingKey = "final_consumer_tax_number";
  const isFromEnvironment = getSetting(settings, settingKey).source === "environment";
  return (
    <SettingsCard
      name="consumer"
      settings={settings}
      keys={[settingKey]}
      neverText={t(isFromEnvironment ? "environment" : "default")}
    >
      <FormField name={settingKey} label={t("number")} inputMode="numeric" autoComplete="off" dir="ltr" />
    </SettingsCard>
  );
}

const SIGN_UP_MODES = ["open", "invitation", "closed"] as const;

export function SignUpsCard({ settings }: CardProps) {
  const t = useTranslations("platformSettings.signUps");
  return (
    <SettingsCard name="signUps" settings={settings} keys={["sign_up"]}>
      <FormField name="sign_up" label={t("label")} group>
        {({ value, onChange }) => (
          <RadioGroup<(typeof SIGN_UP_MODES)[number]>
            cards
            value={value}
            onValueChange={onChange}
            options={SIGN_UP_MODES.map((choice) => ({
              value: choice,
              label: t(`choice.${choice}`),
              hint: t(`hint.${choice}`),
            }))}
          />
        )}
      </FormField>
    </SettingsCard>
  );
}

export function SupportCard({ settings }: CardProps) {
  const t = useTranslations("platformSettings.support");
  return (
    <SettingsCard
      name="support"
      settings={settings}
      keys={["support_contact"]}
      getInitialValues={({ support_contact: contact }) => ({
        email: contact?.email ?? "",
        url: contact?.url ?? "",
      })}
      buildBody={(contact) => ({ support_contact: contact })}
      neverText={t("never")}
    >
      <FormEmail name="email" label={t("email")} autoComplete="off" />
      <FormField name="url" label={t("url")} type="url" autoComplete="off" dir="ltr" optional />
    </SettingsCard>
  );
}

export function ResetsCard({ settings }: CardProps) {
  const t = useTranslations("platformSettings.resets");
  return (
    <SettingsCard name="resets" settings={settings} keys={["factor_reset_delay_hours", "two_administrators"]}>
      <FormNumber name="factor_reset_delay_hours" label={t("hours")} hint={t("hoursHint")} />
      <FormCheckbox name="two_administrators" label={t("two")} hint={t("twoHint")} />
    </SettingsCard>
  );
}

export function RetentionCard({ settings }: CardProps) {
  const t = useTranslations("platformSettings.retention");
  return (
    <SettingsCard
      name="retention"
      settings={settings}
      keys={["mail_retention_days", "audit_retention_days", "webhook_retention_days"]}
    >
      <FormNumber name="mail_retention_days" label={t("mail")} hint={t("mailHint")} />
      <FormNumber name="audit_retention_days" label={t("audit")} hint={t("auditHint")} />
      <FormNumber name="webhook_retention_days" label={t("webhooks")} hint={t("webhooksHint")} />
    </SettingsCard>
  );
}

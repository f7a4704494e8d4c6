import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import { message, recordId, timestamp } from "@/server/core/schema";
import {
  AgreementGrace,
  AllowedDomains,
  AuditRetention,
  BankAccount,
  BankDetails,
  ConsumerTaxNumber,
  FactorResetDelay,
  MailRetention,
  ReferralRate,
  RequirementInputByRole,
  RequirementsByRole,
  SETTING_EFFECTS,
  SETTING_GROUPS,
  SETTING_KEYS,
  SignUpMode,
  SupportContact,
  SupportDetails,
  TrialDays,
  TrialSlots,
  TwoAdministrators,
  VatRate,
  WebhookRetention,
} from "@/server/core/settings";

const Setting = f.namedObject("Setting", "A setting of the platform.", {
  key: f.oneOf(SETTING_KEYS, "Key of the setting.", "vat_rate"),
  group: f.oneOf(SETTING_GROUPS, "Group of the setting in the panel.", "billing"),
  affects: f.oneOf(
    SETTING_EFFECTS,
    "Scope of a change: future payments, invoices, resets, sign-ups, agreement versions or trials, all paying accounts, all accounts, or stored logs.",
    "new_payments",
  ),
  value: f.nullable(
    z.union([
      BankDetails,
      z.int(),
      z.boolean(),
      z.string(),
      RequirementsByRole,
      z.array(z.string()),
      SupportDetails,
    ]),
    "Value of the setting; null if not set.",
    20,
  ),
  source: f.oneOf(["administrator", "environment", "default"], "Source of the value.", "administrator"),
  updated_at: f.nullable(timestamp, "When an administrator last changed it; null if never."),
  updated_by: f.nullable(
    z.object({
      id: recordId,
      name: f.text("Name of the administrator.", "Deniz Yılmaz"),
    }),
    "Administrator who last changed it; null if none.",
  ),
});

const SettingsOutput = listOutput("settings", Setting, "Settings of the platform.");

const ADMIN_OPERATION = { tag: "Platform", access: "token", ability: "admin:*" } as const;

export const listSettings = operation({
  id: "listSettings",
  method: "GET",
  path: "/api/admin/settings",
  ...ADMIN_OPERATION,
  summary: "List the settings of the platform",
  description:
    "Settings that administrators can change while the platform runs. Settings of the server's environment are not " +
    "included.",
  output: SettingsOutput,
});

/* A new setting also needs a field in `body` and one in `expected_updated_at`. */
export const putSettings = operation({
  id: "putSettings",
  method: "PUT",
  path: "/api/admin/settings",
  ...ADMIN_OPERATION,
  summary: "Change settings of the platform",
  description:
    "Omitted and null fields stay unchanged. The bank account, the support contact and settings that protect accounts need a recent " +
    "proof of identity. `expected_updated_at` is the time at which each setting was last changed, as the caller saw it; null " +
    "for never. If a setting in the request has changed since, nothing is saved, and a 409 returns the `current` values. " +
    "Every server uses a change within ten seconds.",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    bank: f.nullish(BankAccount, "Bank account that customers transfer money to."),
    vat_rate: f.nullish(VatRate, "VAT rate in per cent."),
    referral_rate: f.nullish(ReferralRate, "Share of net payments that resellers earn, in per cent."),
    trial_days: f.nullish(TrialDays, "Length of a trial in days; 0 offers no trials."),
    trial_slots: f.nullish(TrialSlots, "Number of sites that a trial covers."),
    final_consumer_tax_number: f.nullish(
      ConsumerTaxNumber,
      "Tax number on invoices to customers without one.",
    ),
    factor_reset_delay_hours: f.nullish(
      FactorResetDelay,
      "Hours before a requested reset removes second factors.",
    ),
    two_administrators: f.nullish(TwoAdministrators, "True when a reset needs a second administrator."),
    mail_retention_days: f.nullish(MailRetention, "Days to keep the email log."),
    audit_retention_days: f.nullish(AuditRetention, "Days to keep the audit log."),
    webhook_retention_days: f.nullish(WebhookRetention, "Days to keep webhook deliveries."),
    two_factor_duty: f.nullish(RequirementInputByRole, "Requirement of a second factor or passkey, by role."),
    sign_up: f.nullish(
      SignUpMode,
      "Sign-up policy. `invitation`: only with a reseller's referral code or portal. Emailed invitations and sign-in always work.",
    ),
    allowed_domains: f.nullish(AllowedDomains, "Domains whose addresses can always sign up."),
    agreement_grace_days: f.nullish(
      AgreementGrace,
      "Days for which a signature of an older agreement version stays valid.",
    ),
    support_contact: f.nullish(SupportContact, "Support contact where the reseller's brand has none."),
    expected_updated_at: z
      .object({
        bank: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `bank` that the caller saw; null for never." }),
        vat_rate: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `vat_rate` that the caller saw; null for never." }),
        referral_rate: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `referral_rate` that the caller saw; null for never." }),
        trial_days: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `trial_days` that the caller saw; null for never." }),
        trial_slots: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `trial_slots` that the caller saw; null for never." }),
        final_consumer_tax_number: timestamp.nullable().optional().meta({
          description: "Last change of `final_consumer_tax_number` that the caller saw; null for never.",
        }),
        factor_reset_delay_hours: timestamp.nullable().optional().meta({
          description: "Last change of `factor_reset_delay_hours` that the caller saw; null for never.",
        }),
        two_administrators: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `two_administrators` that the caller saw; null for never." }),
        mail_retention_days: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `mail_retention_days` that the caller saw; null for never." }),
        audit_retention_days: timestamp.nullable().optional().meta({
          description: "Last change of `audit_retention_days` that the caller saw; null for never.",
        }),
        webhook_retention_days: timestamp.nullable().optional().meta({
          description: "Last change of `webhook_retention_days` that the caller saw; null for never.",
        }),
        two_factor_duty: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `two_factor_duty` that the caller saw; null for never." }),
        sign_up: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `sign_up` that the caller saw; null for never." }),
        allowed_domains: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `allowed_domains` that the caller saw; null for never." }),
        agreement_grace_days: timestamp.nullable().optional().meta({
          description: "Last change of `agreement_grace_days` that the caller saw; null for never.",
        }),
        support_contact: timestamp
          .nullable()
          .optional()
          .meta({ description: "Last change of `support_contact` that the caller saw; null for never." }),
      })
      .optional()
      .meta({ description: "When each setting was last changed, as the caller saw it." }),
  }),
  output: SettingsOutput.extend({ message }),
  errors: ["stale", "identity_unproven"],
});

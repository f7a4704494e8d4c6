import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listOutput } from "@/server/core/list";
import { message, recordId, timestamp } from "@/server/core/schema";
import {
  AFFECTED,
  AgreementGrace,
  AllowedDomains,
  AuditRetention,
  BankAccount,
  BankDetails,
  ConsumerNumber,
  DutiesByRole,
  DutyByRole,
  GROUPS,
  MailRetention,
  ReferralRate,
  ResetDelay,
  SETTING_KEYS,
  SignUps,
  SupportContact,
  SupportDetails,
  TwoAdministrators,
  VatRate,
  WebhookRetention,
} from "@/server/core/settings";

const Setting = z
  .object({
    key: z.enum(SETTING_KEYS).meta({ description: "Key of the setting.", example: "vat_rate" }),
    group: z.enum(GROUPS).meta({ description: "Group of the setting in the panel.", example: "billing" }),
    affects: z.enum(AFFECTED).meta({
      description:
        "Scope of a change: future payments, invoices, resets, sign-ups or agreement versions, all payers, all accounts, or stored logs.",
      example: "new_payments",
    }),
    value: z
      .union([
        BankDetails,
        z.int(),
        z.boolean(),
        z.string(),
        DutiesByRole,
        z.array(z.string()),
        SupportDetails,
      ])
      .nullable()
      .meta({ description: "Value of the setting; null if not set.", example: 20 }),
    source: z
      .enum(["administrator", "environment", "default"])
      .meta({ description: "Source of the value.", example: "administrator" }),
    updated_at: timestamp
      .nullable()
      .meta({ description: "When an administrator last changed it; null if never." }),
    updated_by: z
      .object({
        id: recordId,
        name: z.string().meta({ description: "Name of the administrator.", example: "Deniz Yılmaz" }),
      })
      .nullable()
      .meta({ description: "Administrator who last changed it; null if none." }),
  })
  .meta({ id: "Setting", description: "A setting of the platform." });

const output = listOutput("settings", Setting, "Settings of the platform.");

export const listSettings = operation({
  id: "listSettings",
  method: "GET",
  path: "/api/admin/settings",
  tag: "Platform",
  summary: "List the settings of the platform",
  description:
    "Settings that administrators can change while the platform runs. Settings of the server's environment are not " +
    "included.",
  access: "token",
  ability: "admin:*",
  output,
});

export const putSettings = operation({
  id: "putSettings",
  method: "PUT",
  path: "/api/admin/settings",
  tag: "Platform",
  summary: "Change settings of the platform",
  description:
    "Omitted fields stay unchanged. The bank account, the support contact and settings that protect accounts need a fresh " +
    "proof of identity. `expected_updated_at` has the time of each setting's last change as the caller saw it, null for " +
    "never: if another value was saved since, nothing changes: 409 with the `current` values. A change reaches every " +
    "server within ten seconds.",
  access: "token",
  ability: "admin:*",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    bank: BankAccount.nullish().meta({ description: "Bank account customers transfer money to." }),
    vat_rate: VatRate.nullish().meta({ description: "VAT rate in per cent." }),
    referral_rate: ReferralRate.nullish().meta({
      description: "Share of payments that resellers earn, in per cent.",
    }),
    final_consumer_tax_number: ConsumerNumber.nullish().meta({
      description: "Tax number on invoices to customers without one.",
    }),
    factor_reset_delay_hours: ResetDelay.nullish().meta({
      description: "Hours before a requested reset removes second factors.",
    }),
    two_administrators: TwoAdministrators.nullish().meta({
      description: "True when a reset needs a second administrator.",
    }),
    mail_retention_days: MailRetention.nullish().meta({ description: "Days to keep the mail log." }),
    audit_retention_days: AuditRetention.nullish().meta({ description: "Days to keep the audit log." }),
    webhook_retention_days: WebhookRetention.nullish().meta({
      description: "Days to keep webhook deliveries.",
    }),
    two_factor_duty: DutyByRole.nullish().meta({
      description: "Requirement of a second factor or passkey, by role.",
    }),
    sign_up: SignUps.nullish().meta({
      description:
        "Sign-up policy. `invitation`: only with a reseller's referral code or portal. Mailed invitations and sign-in always work.",
    }),
    allowed_domains: AllowedDomains.nullish().meta({
      description: "Domains whose addresses can always sign up.",
    }),
    agreement_grace_days: AgreementGrace.nullish().meta({
      description: "Days an older signature of the agreement stays valid.",
    }),
    support_contact: SupportContact.nullish().meta({
      description: "Support contact where the reseller's brand has none.",
    }),
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
  output: output.extend({ message }),
  errors: ["stale", "identity_unproven"],
});

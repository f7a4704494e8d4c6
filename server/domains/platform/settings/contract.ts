import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, message, recordId, success, timestamp } from "@/server/core/schema";
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
    key: z.enum(SETTING_KEYS).meta({ example: "vat_rate" }),
    group: z.enum(GROUPS).meta({ example: "billing" }),
    /** What a change reaches: everybody who is to pay, or payments recorded, invoices begun, resets asked for, sign-ups or versions of the reseller agreement from then on, or all accounts, or what is kept in logs. */
    affects: z.enum(AFFECTED).meta({ example: "new_payments" }),
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
      .meta({ example: 20 }),
    /** Where the value comes from: an administrator, the environment of the process, or neither. */
    source: z.enum(["administrator", "environment", "default"]).meta({ example: "administrator" }),
    /** Null while nobody has set it, and its default holds. */
    updated_at: timestamp.nullable(),
    updated_by: z.object({ id: recordId, name: z.string().meta({ example: "Deniz Yılmaz" }) }).nullable(),
  })
  .meta({ id: "Setting" });

const output = z.object({ success, settings: z.array(Setting), data: z.array(Setting), count });

export const listSettings = operation({
  id: "listSettings",
  method: "GET",
  path: "/api/admin/settings",
  tag: "Platform",
  summary: "Get the settings of the platform",
  description:
    "What administrators set while the platform runs. Settings of the server itself are not among them.",
  access: "token",
  ability: "admin:*",
  status: 200,
  output,
});

export const putSettings = operation({
  id: "putSettings",
  method: "PUT",
  path: "/api/admin/settings",
  tag: "Platform",
  summary: "Change settings of the platform",
  description:
    "Fields that are left out stay as they are. The bank account, the support contact and what protects accounts need a fresh proof of identity. `expected_updated_at` has the times at which the caller saw them changed, null " +
    "for never: where another value was saved meanwhile, nothing is changed: 409 with the `current` values. A change " +
    "reaches every server within ten seconds.",
  access: "token",
  ability: "admin:*",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    bank: BankAccount.nullish(),
    vat_rate: VatRate.nullish(),
    referral_rate: ReferralRate.nullish(),
    final_consumer_tax_number: ConsumerNumber.nullish(),
    factor_reset_delay_hours: ResetDelay.nullish(),
    two_administrators: TwoAdministrators.nullish(),
    mail_retention_days: MailRetention.nullish(),
    audit_retention_days: AuditRetention.nullish(),
    webhook_retention_days: WebhookRetention.nullish(),
    /** Who needs a second factor or a passkey, and from when. */
    two_factor_duty: DutyByRole.nullish(),
    /** `invitation`: only by a reseller's referral code or portal. Invitations by mail work in any case, and sign-in does. */
    sign_up: SignUps.nullish(),
    /** Domains whose addresses may sign up, whatever is held against them. */
    allowed_domains: AllowedDomains.nullish(),
    agreement_grace_days: AgreementGrace.nullish(),
    /** Whom people ask for help, where no reseller's brand names somebody. */
    support_contact: SupportContact.nullish(),
    expected_updated_at: z
      .object({
        bank: timestamp.nullable().optional(),
        vat_rate: timestamp.nullable().optional(),
        referral_rate: timestamp.nullable().optional(),
        final_consumer_tax_number: timestamp.nullable().optional(),
        factor_reset_delay_hours: timestamp.nullable().optional(),
        two_administrators: timestamp.nullable().optional(),
        mail_retention_days: timestamp.nullable().optional(),
        audit_retention_days: timestamp.nullable().optional(),
        webhook_retention_days: timestamp.nullable().optional(),
        two_factor_duty: timestamp.nullable().optional(),
        sign_up: timestamp.nullable().optional(),
        allowed_domains: timestamp.nullable().optional(),
        agreement_grace_days: timestamp.nullable().optional(),
        support_contact: timestamp.nullable().optional(),
      })
      .optional(),
  }),
  status: 200,
  output: output.extend({ message }),
  errors: ["stale", "identity_unproven"],
});

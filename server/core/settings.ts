import * as z from "zod";
import { removeSpacesAndDashes } from "./normalise";
import { day, email, flag, textLine, toAsciiHost, webAddress } from "./schema";

/* Settings that administrators change at run time. Environment variables are in `core/env.ts`. */

export const SETTING_EFFECTS = [
  "payers",
  "new_payments",
  "new_invoices",
  "factor_resets",
  "logs",
  "accounts",
  "sign_ups",
  "new_agreements",
  "new_trials",
] as const;

export const SETTING_GROUPS = [
  "billing",
  "security",
  "sign_up",
  "retention",
  "support",
  "resellers",
] as const;

interface SettingSpec {
  schema: z.ZodType;
  fallback: unknown;
  /** Default in demo mode, if it differs. */
  demoFallback?: unknown;
  group: (typeof SETTING_GROUPS)[number];
  affects: (typeof SETTING_EFFECTS)[number];
  /** Environment variable that overrides `fallback`. */
  environment?: string;
  /** Changing it requires a recent proof of identity: it controls payments or access to accounts. */
  requiresProof?: true;
}

const IBAN_PATTERN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const TURKISH_IBAN_LENGTH = 26;

/** Checks the format and check digits (ISO 13616) of an IBAN in upper case without spaces. */
function isIban(value: string): boolean {
  if (!IBAN_PATTERN.test(value) || (value.startsWith("TR") && value.length !== TURKISH_IBAN_LENGTH))
    return false;
  const digits = [...(value.slice(4) + value.slice(0, 4))].map((character) => Number.parseInt(character, 36));
  return BigInt(digits.join("")) % 97n === 1n;
}

export const BankAccount = z.object({
  holder: textLine({ max: 140 }).meta({ description: "Account holder.", example: "Tellal Yazılım A.Ş." }),
  iban: z
    .string()
    .max(64)
    .overwrite((value) => removeSpacesAndDashes(value).toUpperCase())
    .refine(isIban, { error: "validation.iban" })
    .meta({
      description: "IBAN. Spaces and lower-case letters are accepted and normalised.",
      example: "TR330006100519786457841326",
    }),
  bank: textLine({ max: 100 }).meta({ description: "Name of the bank.", example: "Örnek Bankası" }),
});
export type BankAccount = z.infer<typeof BankAccount>;

export const BankDetails = z
  .object({
    holder: z.string().meta({ description: "Account holder.", example: "Tellal Yazılım A.Ş." }),
    iban: z
      .string()
      .meta({ description: "IBAN in upper case, without spaces.", example: "TR330006100519786457841326" }),
    bank: z.string().meta({ description: "Name of the bank.", example: "Örnek Bankası" }),
  })
  .meta({ id: "BankDetails", description: "Bank account to transfer money to." });

/** Percent. */
export const VatRate = z.int().min(0).max(100).meta({ example: 20 });

/** Commission of a customer's reseller in percent of the payment without VAT. */
export const ReferralRate = z.int().min(0).max(100).meta({ example: 10 });

/** Tax number on invoices to consumers without one: eleven digits. */
export const ConsumerTaxNumber = z
  .string()
  .max(64)
  .overwrite(removeSpacesAndDashes)
  .regex(/^\d{11}$/, { error: "validation.consumer_number" })
  .meta({ example: "11111111111" });

/** Hours between the request and the reset of a user's second factor; 0: at the next run of the job. */
export const FactorResetDelay = z.int().min(0).max(168).meta({ example: 24 });

export const TwoAdministrators = flag.meta({ example: false });

/** Days to keep mails and text messages in the log; their contents are erased after a week. */
export const MailRetention = z.int().min(7).max(730).meta({ example: 90 });

/** Days to keep audit entries. A database trigger rejects deletion before 90 days. */
export const AuditRetention = z.int().min(90).max(3650).meta({ example: 730 });

/** Days to keep webhook events with their deliveries; retries end after one to two days. */
export const WebhookRetention = z.int().min(7).max(90).meta({ example: 30 });

/** Two-factor requirement: its first day, and the days of grace that each account has. */
export const TwoFactorRequirement = z.object({
  required_from: day.meta({ description: "First day of the requirement." }),
  grace_days: z.int().min(0).max(365).meta({
    description:
      "Days of grace, counted from the first day or from a later registration. Then the account is blocked until it has a second factor.",
    example: 14,
  }),
});

export const TwoFactorRequirementDetails = z
  .object({
    required_from: z.string().meta({ description: "First day of the requirement.", example: "2027-11-20" }),
    grace_days: z.int().meta({
      description:
        "Days of grace, counted from the first day or from a later registration. Then the account is blocked until it has a second factor.",
      example: 14,
    }),
  })
  .meta({ id: "SecondFactorDuty", description: "Requirement to set up a second factor or a passkey." });

const buildRequirementsByRole = <D extends z.ZodType>(requirement: D) =>
  z.object({
    user: requirement.nullable().meta({ description: "Requirement for customers; null for none." }),
    agent: requirement.nullable().meta({ description: "Requirement for team agents; null for none." }),
    reseller: requirement.nullable().meta({ description: "Requirement for resellers; null for none." }),
    admin: requirement.nullable().meta({ description: "Requirement for administrators; null for none." }),
  });

export const RequirementInputByRole = buildRequirementsByRole(TwoFactorRequirement);

export const RequirementsByRole = buildRequirementsByRole(TwoFactorRequirementDetails).meta({
  id: "SecondFactorDuties",
  description: "Two-factor requirements by role.",
});

const MAX_ALLOWED_DOMAINS = 500;

const mailDomain = z
  .string()
  .max(300)
  .transform((value, ctx) => {
    const domain = toAsciiHost(value.trim().replace(/^@/, "").toLowerCase());
    if (domain && /^[a-z0-9.-]+\.[a-z0-9-]{2,}$/.test(domain)) return domain;
    ctx.issues.push({ code: "custom", message: "validation.domain", input: value });
    return z.NEVER;
  })
  .meta({ example: "example.com" });

/** Email domains that may sign up even if the sign-up check rejects them. */
export const AllowedDomains = z
  .array(mailDomain)
  .max(MAX_ALLOWED_DOMAINS)
  .transform((domains) => [...new Set(domains)].sort());

/** Sign-up mode. `invitation` requires a reseller's referral code or portal; mail invitations always work. */
export const SignUpMode = z.enum(["open", "invitation", "closed"]).meta({ example: "open" });

/** Days for which older agreement signatures stay valid after a new version; publications can override it. */
export const AgreementGrace = z.int().min(0).max(365).meta({ example: 14 });

/** Length of a trial in days; 0: no trials. */
export const TrialDays = z.int().min(0).max(90).meta({ example: 14 });

/** Number of sites that a trial covers. */
export const TrialSlots = z.int().min(1).max(50).meta({ example: 1 });

function isHttpsUrl(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === "https:" && !url.username && !url.password;
}

/** Support contact where the reseller's brand has none. */
export const SupportContact = z.object({
  email: email.meta({ description: "Email address of the support team.", example: "help@example.com" }),
  url: webAddress({ max: 300 })
    .refine(isHttpsUrl, { error: "validation.https_url" })
    .nullish()
    .meta({ description: "URL of a help page; null for none.", example: "https://example.com/help" }),
});

export const SupportDetails = z
  .object({
    email: z
      .string()
      .meta({ description: "Email address of the support team.", example: "help@example.com" }),
    url: z
      .string()
      .nullish()
      .meta({ description: "URL of a help page; null for none.", example: "https://example.com/help" }),
  })
  .meta({ id: "SupportContact", description: "Support contact for customers." });

export const SETTINGS = {
  bank: {
    schema: BankAccount.nullable(),
    fallback: null,
    group: "billing",
    affects: "payers",
    requiresProof: true,
  },
  vat_rate: { schema: VatRate, fallback: 20, group: "billing", affects: "new_payments", requiresProof: true },
  referral_rate: {
    schema: ReferralRate,
    fallback: 0,
    group: "billing",
    affects: "new_payments",
    requiresProof: true,
  },
  // Off until an administrator offers trials.
  trial_days: {
    schema: TrialDays,
    fallback: 0,
    demoFallback: 14,
    group: "billing",
    affects: "new_trials",
  },
  trial_slots: { schema: TrialSlots, fallback: 1, group: "billing", affects: "new_trials" },
  final_consumer_tax_number: {
    schema: ConsumerTaxNumber,
    fallback: "11111111111",
    group: "billing",
    affects: "new_invoices",
    environment: "PARASUT_CONSUMER_NUMBER",
    requiresProof: true,
  },
  factor_reset_delay_hours: {
    schema: FactorResetDelay,
    fallback: 24,
    group: "security",
    affects: "factor_resets",
    requiresProof: true,
  },
  two_administrators: {
    schema: TwoAdministrators,
    fallback: false,
    group: "security",
    affects: "factor_resets",
    requiresProof: true,
  },
  mail_retention_days: { schema: MailRetention, fallback: 90, group: "retention", affects: "logs" },
  // Requires a proof: a shorter retention deletes evidence.
  audit_retention_days: {
    schema: AuditRetention,
    fallback: 730,
    group: "retention",
    affects: "logs",
    requiresProof: true,
  },
  webhook_retention_days: { schema: WebhookRetention, fallback: 30, group: "retention", affects: "logs" },
  two_factor_duty: {
    schema: RequirementInputByRole,
    fallback: { user: null, agent: null, reseller: null, admin: null },
    group: "security",
    affects: "accounts",
    requiresProof: true,
  },
  sign_up: {
    schema: SignUpMode,
    fallback: "open",
    group: "sign_up",
    affects: "sign_ups",
    requiresProof: true,
  },
  allowed_domains: {
    schema: AllowedDomains,
    fallback: [] as string[],
    group: "sign_up",
    affects: "sign_ups",
    requiresProof: true,
  },
  agreement_grace_days: {
    schema: AgreementGrace,
    fallback: 14,
    group: "resellers",
    affects: "new_agreements",
    requiresProof: true,
  },
  // Requires a proof: users who are locked out trust this contact.
  support_contact: {
    schema: SupportContact.nullable(),
    fallback: null,
    group: "support",
    affects: "accounts",
    requiresProof: true,
  },
} as const satisfies Record<string, SettingSpec>;

export type SettingKey = keyof typeof SETTINGS;
export type SettingValue<K extends SettingKey> = z.output<(typeof SETTINGS)[K]["schema"]>;

export const SETTING_KEYS = Object.keys(SETTINGS) as [SettingKey, ...SettingKey[]];

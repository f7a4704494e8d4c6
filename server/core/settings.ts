import * as z from "zod";
import { ungroupedText } from "./normalise";
import { day, email, flag, line, toAscii, webAddress } from "./schema";

/*
 * What administrators set while the platform runs, with what holds until they do. Settings of the process are in
 * `core/env.ts` and never here.
 */

/** Whom a change of a setting reaches. */
export const AFFECTED = [
  "payers",
  "new_payments",
  "new_invoices",
  "factor_resets",
  "logs",
  "accounts",
  "sign_ups",
  "new_agreements",
] as const;

/** What the settings are about. */
export const GROUPS = ["billing", "security", "sign_up", "retention", "support", "resellers"] as const;

interface SettingSpec {
  schema: z.ZodType;
  /** What holds until an administrator sets it. */
  fallback: unknown;
  group: (typeof GROUPS)[number];
  affects: (typeof AFFECTED)[number];
  /** The setting of the process that holds, where there is one, until an administrator sets it. */
  environment?: string;
  /** Whoever changes it proves their identity: it decides where money goes, or who gets into accounts. */
  guarded?: true;
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
/** The length of a Turkish IBAN. */
const TURKISH = 26;

/** Whether a text is an IBAN, in capitals and without spaces, by its check digits (ISO 13616). */
function isIban(value: string): boolean {
  if (!IBAN.test(value) || (value.startsWith("TR") && value.length !== TURKISH)) return false;
  const digits = [...(value.slice(4) + value.slice(0, 4))].map((character) => Number.parseInt(character, 36));
  return BigInt(digits.join("")) % 97n === 1n;
}

/** Where customers transfer money to. */
export const BankAccount = z.object({
  holder: line({ max: 140 }).meta({ description: "Account holder.", example: "Tellal Yazılım A.Ş." }),
  iban: z
    .string()
    .max(64)
    .overwrite((value) => ungroupedText(value).toUpperCase())
    .refine(isIban, { error: "validation.iban" })
    .meta({
      description: "IBAN; spaces and small letters are accepted.",
      example: "TR330006100519786457841326",
    }),
  bank: line({ max: 100 }).meta({ description: "Name of the bank.", example: "Örnek Bankası" }),
});
export type BankAccount = z.infer<typeof BankAccount>;

/** The same in outputs. */
export const BankDetails = z
  .object({
    holder: z.string().meta({ description: "Account holder.", example: "Tellal Yazılım A.Ş." }),
    iban: z.string().meta({ description: "IBAN, without spaces.", example: "TR330006100519786457841326" }),
    bank: z.string().meta({ description: "Name of the bank.", example: "Örnek Bankası" }),
  })
  .meta({ id: "BankDetails", description: "Bank account to transfer money to." });

/** Percent. */
export const VatRate = z.int().min(0).max(100).meta({ example: 20 });

/** Percent of a payment without VAT that the reseller of a customer earns; 0: nothing. */
export const ReferralRate = z.int().min(0).max(100).meta({ example: 10 });

/** What stands on invoices for the number of a consumer who gives none: eleven digits. */
export const ConsumerNumber = z
  .string()
  .max(64)
  .overwrite(ungroupedText)
  .regex(/^\d{11}$/, { error: "validation.consumer_number" })
  .meta({ example: "11111111111" });

/** Hours from the request of a reset of somebody's second factor until it is done; 0: at the next run of the job. */
export const ResetDelay = z.int().min(0).max(168).meta({ example: 24 });

/** Whether a second administrator has to approve such a reset. */
export const TwoAdministrators = flag.meta({ example: false });

/** Days for which mails and text messages are listed; their texts go after a week. */
export const MailRetention = z.int().min(7).max(730).meta({ example: 90 });

/** Days for which the audit log is kept; the database refuses to delete an entry before 90. */
export const AuditRetention = z.int().min(90).max(3650).meta({ example: 730 });

/** Days for which events of webhooks are kept with their deliveries; attempts go on for a day or two. */
export const WebhookRetention = z.int().min(7).max(90).meta({ example: 30 });

/** From which day people need a second factor or a passkey, and how many days they have for it from then or, later, from when they came. */
export const Duty = z.object({
  required_from: day.meta({ description: "First day of the requirement." }),
  grace_days: z.int().min(0).max(365).meta({
    description: "Days after that, or after a later registration, until the account is blocked without one.",
    example: 14,
  }),
});

/** The same in outputs. */
export const DutyDetails = z
  .object({
    required_from: z.string().meta({ description: "First day of the requirement.", example: "2027-11-20" }),
    grace_days: z.int().meta({
      description:
        "Days after that, or after a later registration, until the account is blocked without one.",
      example: 14,
    }),
  })
  .meta({ id: "SecondFactorDuty", description: "Requirement of a second factor or a passkey." });

const byRole = <D extends z.ZodType>(duty: D) =>
  z.object({
    user: duty.nullable().meta({ description: "For customers; null for none." }),
    agent: duty.nullable().meta({ description: "For agents of teams; null for none." }),
    reseller: duty.nullable().meta({ description: "For resellers; null for none." }),
    admin: duty.nullable().meta({ description: "For administrators; null for none." }),
  });

/** Requirements of a second factor, by role. */
export const DutyByRole = byRole(Duty);

/** The same in outputs. */
export const DutiesByRole = byRole(DutyDetails).meta({
  id: "SecondFactorDuties",
  description: "Requirements of a second factor, by role.",
});

/** Most domains that may be allowed. */
const DOMAINS_MAX = 500;

/** A domain of addresses, in punycode. */
const mailDomain = z
  .string()
  .max(300)
  .transform((value, ctx) => {
    const domain = toAscii(value.trim().replace(/^@/, "").toLowerCase());
    if (domain && /^[a-z0-9.-]+\.[a-z0-9-]{2,}$/.test(domain)) return domain;
    ctx.issues.push({ code: "custom", message: "validation.domain", input: value });
    return z.NEVER;
  })
  .meta({ example: "example.com" });

/** Domains whose addresses may sign up, whatever the guard says of them. */
export const AllowedDomains = z
  .array(mailDomain)
  .max(DOMAINS_MAX)
  .transform((domains) => [...new Set(domains)].sort());

/**
 * Who opens an account without being sent for: everybody, whoever comes by a reseller (a referral code, or a portal), or
 * nobody. Invitations by mail, and what administrators do, are never closed.
 */
export const SignUps = z.enum(["open", "invitation", "closed"]).meta({ example: "open" });

/** Days that older signatures of the reseller agreement count once a version is published, unless its publication says. */
export const AgreementGrace = z.int().min(0).max(365).meta({ example: 14 });

function isHttps(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === "https:" && !url.username && !url.password;
}

/** Whom people ask for help, where no reseller's brand names somebody. */
export const SupportContact = z.object({
  email: email.meta({ description: "E-mail address of the support.", example: "help@example.com" }),
  url: webAddress({ max: 300 })
    .refine(isHttps, { error: "validation.https_url" })
    .nullish()
    .meta({ description: "URL of a help page; null for none.", example: "https://example.com/help" }),
});

/** The same in outputs. */
export const SupportDetails = z
  .object({
    email: z.string().meta({ description: "E-mail address of the support.", example: "help@example.com" }),
    url: z
      .string()
      .nullish()
      .meta({ description: "URL of a help page; null for none.", example: "https://example.com/help" }),
  })
  .meta({ id: "SupportContact", description: "Support contact for customers." });

/** Every setting by its key. */
export const SETTINGS = {
  bank: {
    schema: BankAccount.nullable(),
    fallback: null,
    group: "billing",
    affects: "payers",
    guarded: true,
  },
  vat_rate: { schema: VatRate, fallback: 20, group: "billing", affects: "new_payments", guarded: true },
  referral_rate: {
    schema: ReferralRate,
    fallback: 0,
    group: "billing",
    affects: "new_payments",
    guarded: true,
  },
  final_consumer_tax_number: {
    schema: ConsumerNumber,
    fallback: "11111111111",
    group: "billing",
    affects: "new_invoices",
    environment: "PARASUT_CONSUMER_NUMBER",
    guarded: true,
  },
  factor_reset_delay_hours: {
    schema: ResetDelay,
    fallback: 24,
    group: "security",
    affects: "factor_resets",
    guarded: true,
  },
  two_administrators: {
    schema: TwoAdministrators,
    fallback: false,
    group: "security",
    affects: "factor_resets",
    guarded: true,
  },
  mail_retention_days: { schema: MailRetention, fallback: 90, group: "retention", affects: "logs" },
  // Whoever shortens it deletes the traces of others, and maybe their own.
  audit_retention_days: {
    schema: AuditRetention,
    fallback: 730,
    group: "retention",
    affects: "logs",
    guarded: true,
  },
  webhook_retention_days: { schema: WebhookRetention, fallback: 30, group: "retention", affects: "logs" },
  two_factor_duty: {
    schema: DutyByRole,
    fallback: { user: null, agent: null, reseller: null, admin: null },
    group: "security",
    affects: "accounts",
    guarded: true,
  },
  sign_up: { schema: SignUps, fallback: "open", group: "sign_up", affects: "sign_ups", guarded: true },
  allowed_domains: {
    schema: AllowedDomains,
    fallback: [] as string[],
    group: "sign_up",
    affects: "sign_ups",
    guarded: true,
  },
  agreement_grace_days: {
    schema: AgreementGrace,
    fallback: 14,
    group: "resellers",
    affects: "new_agreements",
    guarded: true,
  },
  // Whoever is locked out trusts it with what an impostor would ask for.
  support_contact: {
    schema: SupportContact.nullable(),
    fallback: null,
    group: "support",
    affects: "accounts",
    guarded: true,
  },
} as const satisfies Record<string, SettingSpec>;

export type SettingKey = keyof typeof SETTINGS;
export type SettingValue<K extends SettingKey> = z.output<(typeof SETTINGS)[K]["schema"]>;

/** The keys, in the order in which they are listed. */
export const SETTING_KEYS = Object.keys(SETTINGS) as [SettingKey, ...SettingKey[]];

import type { Topic } from "./contract";

/*
 * What becomes of every row that belongs to a person when the account ends. The forecast, the erasure itself (by the
 * statements made from it), the certificate and a test over the database's own catalogue all read this one table: a
 * new relation to an account without a line here fails that test.
 */

/**
 * `delete`: the rows go. `anonymise`: they stay without anything that tells who it was. `detach`: they are somebody
 * else's and lose the link. `keep`: a law asks for them until the end of the tenth year after.
 */
export type Rule = "delete" | "anonymise" | "detach" | "keep";

export interface Policy {
  table: string;
  /** The column that names the account. */
  column: string;
  topic: Topic;
  /** For an account that left a financial or site trace. Without one, only `detach` and `anonymise` rows stay. */
  rule: Rule;
}

export const POLICY: readonly Policy[] = [
  { table: "users", column: "id", topic: "profile", rule: "anonymise" },
  { table: "email_changes", column: "user_id", topic: "profile", rule: "delete" },
  { table: "email_verifications", column: "user_id", topic: "profile", rule: "delete" },
  { table: "phone_codes", column: "user_id", topic: "profile", rule: "delete" },
  { table: "deletion_requests", column: "user_id", topic: "profile", rule: "delete" },
  { table: "access_tokens", column: "user_id", topic: "sign_ins", rule: "delete" },
  { table: "interim_tokens", column: "user_id", topic: "sign_ins", rule: "delete" },
  { table: "trusted_devices", column: "user_id", topic: "sign_ins", rule: "delete" },
  { table: "password_resets", column: "user_id", topic: "ways_in", rule: "delete" },
  { table: "factors", column: "user_id", topic: "ways_in", rule: "delete" },
  { table: "recovery_codes", column: "user_id", topic: "ways_in", rule: "delete" },
  { table: "passkeys", column: "user_id", topic: "ways_in", rule: "delete" },
  { table: "passkey_challenges", column: "user_id", topic: "ways_in", rule: "delete" },
  { table: "external_identities", column: "user_id", topic: "ways_in", rule: "delete" },
  { table: "mail_messages", column: "user_id", topic: "messages", rule: "delete" },
  { table: "sms_messages", column: "user_id", topic: "messages", rule: "delete" },
  { table: "mail_accounts", column: "user_id", topic: "branding", rule: "delete" },
  { table: "reseller_portals", column: "reseller_id", topic: "branding", rule: "delete" },
  { table: "usage_months", column: "user_id", topic: "usage", rule: "delete" },
  { table: "data_exports", column: "user_id", topic: "exports", rule: "delete" },
  { table: "invitations", column: "inviter_id", topic: "team", rule: "delete" },
  { table: "users", column: "parent_user_id", topic: "team", rule: "detach" },
  { table: "users", column: "reseller_id", topic: "customers", rule: "detach" },
  { table: "audit_events", column: "actor_id", topic: "activity", rule: "anonymise" },
  { table: "sites", column: "user_id", topic: "sites", rule: "anonymise" },
  { table: "consent_records", column: "user_id", topic: "consents", rule: "keep" },
  { table: "subscriptions", column: "user_id", topic: "billing", rule: "keep" },
  { table: "site_licences", column: "user_id", topic: "billing", rule: "keep" },
  { table: "resellers", column: "user_id", topic: "billing", rule: "keep" },
  // Entries the account made for others (`actor_id`) say by number who did it, and stay.
  { table: "credit_entries", column: "user_id", topic: "billing", rule: "keep" },
];

/** Whole years, after the year of the deletion, that kept rows are kept. */
export const KEPT_YEARS = 10;

/** The last moment of the tenth year after `from`, where the law is: in Turkey. */
export function keptUntil(from: Date): Date {
  return new Date(Date.UTC(from.getUTCFullYear() + KEPT_YEARS, 11, 31, 20, 59, 59, 999));
}

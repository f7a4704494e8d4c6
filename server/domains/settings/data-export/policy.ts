import type { ExportFile } from "./contract";

/*
 * Where every row that belongs to a person ends up in the archive. The reader of each file is in
 * `service/collect.ts`; a test over the database's own catalogue fails when a relation to an account, or to a site,
 * has no line here.
 */

interface Line {
  table: string;
  /** The column that leads to the account or the site. */
  column: string;
}

export const EXPORTED: readonly (Line & { file: ExportFile })[] = [
  { table: "users", column: "id", file: "profile" },
  { table: "users", column: "parent_user_id", file: "team" },
  { table: "users", column: "assigned_site_id", file: "team" },
  { table: "email_changes", column: "user_id", file: "address_changes" },
  { table: "consent_records", column: "user_id", file: "consents" },
  { table: "audit_events", column: "actor_id", file: "activity" },
  { table: "access_tokens", column: "user_id", file: "sessions_and_keys" },
  { table: "trusted_devices", column: "user_id", file: "trusted_devices" },
  { table: "factors", column: "user_id", file: "two_factor" },
  { table: "recovery_codes", column: "user_id", file: "two_factor" },
  { table: "passkeys", column: "user_id", file: "passkeys" },
  { table: "external_identities", column: "user_id", file: "identities" },
  { table: "sites", column: "user_id", file: "sites" },
  { table: "external_keys", column: "site_id", file: "site_keys" },
  { table: "mail_accounts", column: "user_id", file: "mail_accounts" },
  { table: "mail_accounts", column: "site_id", file: "mail_accounts" },
  { table: "subscriptions", column: "user_id", file: "subscriptions" },
  { table: "site_licences", column: "user_id", file: "licences" },
  { table: "site_licences", column: "site_id", file: "licences" },
  { table: "credit_entries", column: "user_id", file: "credits" },
  { table: "usage_months", column: "user_id", file: "usage" },
  { table: "invitations", column: "inviter_id", file: "invitations" },
  { table: "invitations", column: "site_id", file: "invitations" },
  { table: "mail_messages", column: "user_id", file: "mails" },
  { table: "sms_messages", column: "user_id", file: "text_messages" },
  { table: "resellers", column: "user_id", file: "reseller" },
  { table: "reseller_portals", column: "reseller_id", file: "reseller" },
  { table: "data_exports", column: "user_id", file: "exports" },
];

export const LEFT_OUT: readonly (Line & { why: string })[] = [
  {
    table: "users",
    column: "reseller_id",
    why: "a reseller's customers are people of their own, who ask for their own data",
  },
  { table: "credit_entries", column: "actor_id", why: "entries of other people's credits" },
  { table: "email_verifications", column: "user_id", why: "digests of links and codes that live a day" },
  { table: "password_resets", column: "user_id", why: "the digest of a link that lives an hour" },
  { table: "interim_tokens", column: "user_id", why: "digests of sign-ins that wait for ten minutes" },
  { table: "passkey_challenges", column: "user_id", why: "random numbers that live five minutes" },
  { table: "deletion_requests", column: "user_id", why: "the digest of a code that lives minutes" },
  { table: "phone_codes", column: "user_id", why: "the digest of a code that lives minutes" },
];

import type { Sql } from "@/server/infrastructure/database/sql";
import { readMail } from "@/server/infrastructure/mail/outbox";
import type { ExportFile } from "../contract";
import type { Row } from "./write";

/*
 * What goes into each file. Every column is named: nothing gets into an archive by being added to a table, least of all
 * a secret, the digest of one, or another account's row.
 */

type Read = (sql: Sql, userId: number) => Promise<Row[]>;

export const READERS: Record<ExportFile, Read> = {
  profile: (sql, id) => sql`
    select id, name, email, phone, phone_verified_at, role, is_active, credits, allowed_modules, is_agent_only, assigned_site_id, reseller_id,
           parent_user_id, locale, timezone, app_name, app_logo_url, app_primary_color, provider, avatar_url,
           password_hash is not null as has_password, email_verified_at, created_at, updated_at
      from users where id = ${id}`,

  menu_labels: (sql, id) => sql`
    select label.key, label.value as label from users, jsonb_each_text(menu_labels) as label
     where users.id = ${id} order by label.key`,

  address_changes: (sql, id) => sql`
    select old_email, new_email, applied_at, undone_at, created_at, expires_at
      from email_changes where user_id = ${id} order by id`,

  consents: (sql, id) => sql`
    select key, granted, text_version, text_hash, locale, ip, user_agent, source, prev_hash, hash, created_at
      from consent_records where user_id = ${id} order by id`,

  sign_ins: (sql, id) => sql`
    select at, substring(action from 9) as outcome, details ->> 'way' as way, details ->> 'gate' as gate, ip, user_agent
      from audit_events where actor_id = ${id} and action like 'sign\\_in.%' order by audit_events.id`,

  // Of what others did to the account, the address they did it from is theirs.
  activity: (sql, id) => sql`
    select at, action, object_type, object_id, actor_id = ${id} as by_me,
           case when actor_id = ${id} then details end as details,
           case when actor_id = ${id} then ip end as ip,
           case when actor_id = ${id} then user_agent end as user_agent
      from audit_events
     where actor_id = ${id} or (object_type = 'User' and object_id = ${String(id)}) order by audit_events.id`,

  sessions_and_keys: (sql, id) => sql`
    select kind, name, last_four, abilities, ip, user_agent, created_at, last_used_at, expires_at
      from access_tokens where user_id = ${id} order by id`,

  trusted_devices: (sql, id) => sql`
    select user_agent, ip, created_at, last_used_at, expires_at from trusted_devices where user_id = ${id} order by id`,

  two_factor: (sql, id) => sql`
    select kind::text, created_at, confirmed_at, last_used_at from factors where user_id = ${id}
     union all
    select 'recovery_code', created_at, null, used_at from recovery_codes where user_id = ${id}
     order by created_at`,

  passkeys: (sql, id) => sql`
    select device_name, aaguid, transports, backed_up, created_at, last_used_at
      from passkeys where user_id = ${id} order by created_at`,

  identities: (sql, id) => sql`
    select provider, issuer, subject, email, created_at, last_used_at
      from external_identities where user_id = ${id} order by id`,

  sites: (sql, id) => sql`
    select id, name, domain, is_active, subscription_id, widget_color, widget_position, welcome_message, bot_name,
           ai_enabled, similarity_threshold, system_prompt, max_messages_per_session, faqs_count,
           api_key_last_four, ai_provider_key_last_four, created_at, updated_at
      from sites where user_id = ${id} order by id`,

  site_keys: (sql, id) => sql`
    select k.site_id, k.last_four, k.created_at, k.last_used_at, k.last_used_ip, k.valid_until
      from external_keys k join sites s on s.id = k.site_id where s.user_id = ${id} order by k.id`,

  mail_accounts: (sql, id) => sql`
    select site_id, from_name, from_address, host, port, secure, username, verified_at, created_at, updated_at
      from mail_accounts
     where user_id = ${id} or site_id in (select sites.id from sites where sites.user_id = ${id}) order by id`,

  subscriptions: (sql, id) => sql`
    select s.id, p.name as plan, p.price, p.currency, s.status, s.site_slots, s.starts_at, s.ends_at, s.created_at
      from subscriptions s join subscription_plans p on p.id = s.plan_id where s.user_id = ${id} order by s.id`,

  licences: (sql, id) => sql`
    select id, site_id, status, price_try, period_start, period_end, pay_by, created_at
      from site_licences where user_id = ${id} order by id`,

  credits: (sql, id) => sql`
    select amount, balance, reason, note, created_at from credit_entries where user_id = ${id} order by id`,

  usage: (sql, id) => sql`
    select month::text, messages_sent, ai_calls, voice_minutes, credits_used
      from usage_months where user_id = ${id} order by usage_months.month`,

  team: (sql, id) => sql`
    select id, name, email, is_active, is_agent_only, assigned_site_id, allowed_modules, created_at
      from users where parent_user_id = ${id} and anonymised_at is null order by id`,

  invitations: (sql, id) => sql`
    select name, email, site_id, allowed_modules, created_at, expires_at, accepted_at
      from invitations where inviter_id = ${id} order by id`,

  // The texts of mails hold links and codes; what they were about is in the subject.
  mails: async (sql, id) => {
    const rows = await sql<Row & { sealed: Uint8Array }>`
      select to_address, template, locale, state, sealed, created_at, sent_at
        from mail_messages where user_id = ${id} order by id`;
    return rows.map(({ sealed, ...row }) => ({ subject: subjectOf(sealed), ...row }));
  },

  text_messages: (sql, id) => sql`
    select to_number, locale, state, created_at, sent_at from sms_messages where user_id = ${id} order by id`,

  reseller: (sql, id) => sql`
    select r.referral_code, r.agreement_version, r.agreement_signed_at, p.domain as portal_domain, p.brand_name,
           p.lock_customers, p.created_at as portal_created_at
      from users u left join resellers r on r.user_id = u.id left join reseller_portals p on p.reseller_id = u.id
     where u.id = ${id} and (r.user_id is not null or p.id is not null)`,

  exports: (sql, id) => sql`
    select id, state, size, created_at, ready_at, expires_at from data_exports where user_id = ${id} order by created_at`,
};

/** null for a mail that was sealed under a key which is gone: one old mail keeps nobody from the rest. */
function subjectOf(sealed: Uint8Array): string | null {
  try {
    return readMail(sealed).subject;
  } catch {
    return null;
  }
}

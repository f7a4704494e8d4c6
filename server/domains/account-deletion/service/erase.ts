import type { Context } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import { isLocale } from "@/server/core/locale";
import { audit } from "@/server/domains/audit/service";
import { eraseEntries } from "@/server/domains/consents/service/ledger";
import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { ERASED } from "../policy";
import { type Certificate, certify } from "./certificate";
import { foresee } from "./forecast";
import { stripSites } from "./sites";
import { handOver } from "./teardown";

type Tx = Context;

interface Person {
  name: string;
  email: string;
  email_key: string;
  locale: string | null;
}

export interface Erased {
  mode: "deleted" | "anonymized";
  certificate: Certificate;
  /** Tasks outside that jobs perform from now on. */
  pending: number;
}

/**
 * Ends an account in the caller's transaction, all of it or nothing. Whoever comes second finds nobody: the row of the
 * account is locked first. Throws `unauthenticated`, `code_wrong` when the code was spent meanwhile, and
 * `last_administrator`.
 */
export async function erase(
  tx: Tx,
  { userId, codeHash }: { userId: number; codeHash: Buffer | null },
): Promise<Erased> {
  const { sql } = tx;
  await keepOneAdministrator({ sql }, userId);
  const [person] = await sql<Person>`
    select name, email, email_key, locale from users where id = ${userId} and anonymised_at is null for update`;
  if (!person) throw refuse("unauthenticated");
  if (codeHash) await spendCode({ sql }, userId, codeHash);

  const prospect = await foresee({ sql }, userId);
  const mode = prospect.mode === "delete" ? "deleted" : "anonymized";
  const certificate = await certify({ sql }, { mode, topics: prospect.topics });
  const pending = await handOver({ sql }, { userId, certificateId: certificate.id });
  await removeFiles({ sql }, userId);
  await letDependantsGo({ sql }, userId);
  await stripSites({ sql }, userId);
  await sql`with target as (select ${userId}::int as id), ${ERASED} select 1`;
  await forgetTraces({ sql }, { userId, emailKey: person.email_key });
  // From here on nothing may name the person, the caller's own address and browser included.
  const nobody: Tx = { ...tx, actor: { kind: "system" }, ip: "", userAgent: null };
  if (mode === "deleted") await removeRow(nobody, userId);
  else await anonymiseRow({ sql }, userId);
  await audit(nobody, {
    action: mode === "deleted" ? "account.deleted" : "account.anonymised",
    object: { type: "User", id: userId },
    details: { certificate: certificate.id },
  });
  await sayGoodbye(tx, person, { mode, certificate });
  return { mode, certificate, pending };
}

/** What the lock of leaving administrators is called; they leave one after the other. */
const LOCK = 7_355_108;

/** Somebody must be left to govern the panel. Called before the row of the account is locked. */
async function keepOneAdministrator({ sql }: Pick<Work, "sql">, userId: number): Promise<void> {
  const leaving = await sql`
    select 1 from users, pg_advisory_xact_lock(${LOCK}::bigint) where id = ${userId} and role = 'admin'`;
  if (leaving.length === 0) return;
  const others = await sql`
    select 1 from users where role = 'admin' and is_active and id <> ${userId} limit 1`;
  if (others.length === 0) throw refuse("last_administrator");
}

async function spendCode({ sql }: Pick<Work, "sql">, userId: number, codeHash: Buffer): Promise<void> {
  const spent = await sql`
    delete from deletion_requests where user_id = ${userId} and code_hash = ${codeHash} returning user_id`;
  if (spent.length === 0) throw refuse("code_wrong");
}

/** Files go by jobs, once it is sure that their rows do: the picture, and copies of one's data. */
async function removeFiles({ sql }: Pick<Work, "sql">, userId: number): Promise<void> {
  const files = await sql<{ key: string }>`
    select file as key from data_exports where user_id = ${userId} and file is not null
    union all
    select substr(avatar_url, 2) from users where id = ${userId} and avatar_url like '/media/%'`;
  for (const { key } of files) await addJob({ sql }, "remove_file", { key });
}

/** Agents are switched off; sub-users and customers stand on their own feet, and a job tells them. */
async function letDependantsGo({ sql }: Pick<Work, "sql">, userId: number): Promise<void> {
  await sql`
    delete from access_tokens where user_id in (select id from users where parent_user_id = ${userId} and is_agent_only)`;
  await sql`
    delete from interim_tokens where user_id in (select id from users where parent_user_id = ${userId} and is_agent_only)`;
  await sql`
    update users set is_active = false, parent_user_id = null, assigned_site_id = null, updated_at = now()
     where parent_user_id = ${userId} and is_agent_only`;
  const released = await sql<{ id: number }>`
    update users set parent_user_id = nullif(parent_user_id, ${userId}), reseller_id = nullif(reseller_id, ${userId}),
                     updated_at = now()
     where parent_user_id = ${userId} or reseller_id = ${userId} returning id`;
  if (released.length > 0) await addJob({ sql }, "tell_released", { userIds: released.map(({ id }) => id) });
}

/** What names the person without being related to the account: entries of the log, counters of limits. */
async function forgetTraces(
  { sql }: Pick<Work, "sql">,
  { userId, emailKey }: { userId: number; emailKey: string },
): Promise<void> {
  await sql`
    update audit_events
       set details = null, ip = case when actor_id <> ${userId} then ip end,
           user_agent = case when actor_id <> ${userId} then user_agent end
     where (actor_id = ${userId} or (object_type = 'User' and object_id = ${String(userId)}))
       and action <> 'consents.erased'`;
  await sql`delete from rate_limits where split_part(substr(key, strpos(key, ':') + 1), '|', 1) = ${emailKey}`;
}

async function removeRow(nobody: Tx, userId: number): Promise<void> {
  await eraseEntries(nobody, userId);
  await nobody.sql`delete from credit_entries where user_id = ${userId}`;
  await nobody.sql`delete from users where id = ${userId}`;
}

/**
 * The row stays for what must be kept. Its key is no address, so nobody can register it, be mailed by it or stand in
 * its way.
 */
async function anonymiseRow({ sql }: Pick<Work, "sql">, userId: number): Promise<void> {
  await sql`
    update subscriptions set status = 'cancelled' where user_id = ${userId} and status in ('pending', 'active', 'past_due')`;
  await sql`
    update site_licences set status = 'cancelled' where user_id = ${userId} and status in ('pending', 'active')`;
  await sql`update credit_entries set note = null where user_id = ${userId}`;
  await sql`update resellers set referral_code = null where user_id = ${userId}`;
  await sql`
    update users
       set name = 'Silinmiş Kullanıcı', email = 'deleted-' || id || '@anon.invalid', email_key = 'deleted:' || id,
           phone = null, phone_verified_at = null, password_hash = null, role = 'user', is_active = false, allowed_modules = null,
           is_agent_only = false, assigned_site_id = null, reseller_id = null, parent_user_id = null, locale = null,
           timezone = null, app_name = null, app_logo_url = null, app_primary_color = null, provider = null,
           avatar_url = null, menu_labels = '{}', email_verified_at = null, anonymised_at = now(), updated_at = now()
     where id = ${userId}`;
}

/** The last mail goes to an address that belongs to no account any more. */
async function sayGoodbye(
  { sql, locale }: Tx,
  { name, email, locale: own }: Person,
  { mode, certificate }: Pick<Erased, "mode" | "certificate">,
): Promise<void> {
  await queueMail(
    { sql },
    { userId: null, address: email },
    {
      template: "account_deleted",
      locale: isLocale(own) ? own : locale,
      params: { name, mode },
      path: `/certificates/${certificate.id}?code=${certificate.code}`,
    },
  );
}

import * as z from "zod";
import { SignedInUser } from "@/server/domains/accounts/profile/contract";
import { isEmployerActive } from "@/server/domains/accounts/users/service/employer";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { WaitingIdentity } from "./service/waiting-identity";

/* Statements of every sign-in, in its transaction of statements alone. */

const Candidate = SignedInUser.extend({
  parent_user_id: z.int().nullable(),
  email_verified: z.boolean(),
  is_employer_active: z.boolean(),
  password_hash: z.string().nullable(),
  has_second_factor: z.boolean(),
}).strict();
const CANDIDATE = new Fragment(`
  id, name, email, phone, role, is_active, credits, allowed_modules, assigned_site_id, is_agent_only,
  reseller_id, parent_user_id, locale, email_verified_at is not null as email_verified, password_hash,
  ${isEmployerActive("users")} as is_employer_active,
  exists (select from factors where user_id = users.id and confirmed_at is not null) as has_second_factor`);

/** On every sign-in: the account of an address or id, with all that the gates check. */
export const selectCandidate = statement(Candidate, { short: true })<{ id?: number; key?: string }>`
  select ${CANDIDATE} from users
   where email_key = ${(given) => given.key ?? null} or id = ${(given) => given.id ?? null}`;

/** On every sign-in, a row lock: whoever revokes the account's tokens waits for this one, or this one for them. */
export const lockCandidateRow = statement(Candidate)<{ id: number }>`
  select ${CANDIDATE} from users where id = ${(given) => given.id} for share`;

/**
 * Within the gates of a sign-in: who can help a passive account, the nearest of three first. Without a reseller of its own,
 * an account has that of the account above or of its site's owner.
 */
export const findContact = statement(
  z.strictObject({
    source: z.enum(["parent", "reseller", "site"]),
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
  }),
)<{ parentId: number | null; resellerId: number | null; siteId: number | null }>`
  select c.source, u.name, coalesce(b.support_email, u.email) as email, coalesce(b.support_phone, u.phone) as phone
    from (values ('parent', ${(given) => given.parentId}::int, 1), ('reseller', coalesce(${(given) => given.resellerId}::int, (
                    select reseller_id from users
                     where id = coalesce(${(given) => given.parentId}::int,
                                         (select user_id from sites where id = ${(given) => given.siteId}::int)))), 2),
                 ('site', (select user_id from sites where id = ${(given) => given.siteId}::int), 3)) as c(source, id, place)
    join users u on u.id = c.id and u.is_active
    left join brands b on b.user_id = u.id and c.source = 'reseller'
   order by c.place limit 1`;

/** At the end of a sign-in's second step. */
export const insertDevice = statement(z.never())<{
  userId: number;
  tokenHash: Buffer;
  userAgent: string | null;
  ip: string;
  expiresAt: Date;
}>`
  insert into trusted_devices (user_id, token_hash, user_agent, ip, expires_at)
  values (${(given) => given.userId}, ${(given) => given.tokenHash}, ${(given) => given.userAgent}, ${(given) => given.ip},
          ${(given) => given.expiresAt})`;

/** On every sign-in with a second factor: finds a trusted device and records its use. */
export const noteDevice = statement(z.strictObject({ id: z.int() }))<{
  userId: number;
  tokenHash: Buffer;
  ip: string;
}>`
  update trusted_devices set last_used_at = now(), ip = ${(given) => given.ip}
   where token_hash = ${(given) => given.tokenHash} and user_id = ${(given) => given.userId} and expires_at > now()
  returning id`;

/** On every sign-in with a second factor. */
export const insertInterim = statement(z.never())<{
  userId: number;
  purpose: InterimPurpose;
  tokenHash: Buffer;
  expiresAt: Date;
}>`
  insert into interim_tokens (user_id, purpose, token_hash, expires_at)
  values (${(given) => given.userId}, ${(given) => given.purpose}::"InterimPurpose", ${(given) => given.tokenHash},
          ${(given) => given.expiresAt})`;

/** The only step that an interim token may be used for. */
export type InterimPurpose = "sign_in" | "identity";

const Interim = z.strictObject({ id: z.int(), user_id: z.int(), attempts: z.int(), created_at: z.date() });

/** On every second step: what waits under a token, for its own purpose. */
export const selectInterim = statement(Interim)<{ tokenHash: Buffer; purpose: InterimPurpose }>`
  select id, user_id, attempts, created_at from interim_tokens
   where token_hash = ${(given) => given.tokenHash} and purpose = ${(given) => given.purpose}::"InterimPurpose"
     and expires_at > now()`;

/** On every second step of a sign-in: counted before the code is checked. */
export const countInterimTry = statement(Interim)<{ tokenHash: Buffer }>`
  update interim_tokens set attempts = attempts + 1
   where token_hash = ${(given) => given.tokenHash} and purpose = 'sign_in' and expires_at > now()
  returning id, user_id, attempts, created_at`;

/** In the transaction of a second step: its one success. */
export const deleteInterim = statement(z.strictObject({ identity: WaitingIdentity.nullable() }))<{
  id: number;
}>`
  delete from interim_tokens where id = ${(given) => given.id} returning identity`;

/**
 * At the end of a second step. As in its first step, the account has the address of the identity and no other identity; else
 * there is no row.
 */
export const linkIdentity = statement(z.strictObject({ id: z.int() }))<{
  userId: number;
  emailKey: string;
  provider: string;
  issuer: string;
  subject: string;
  email: string;
  grantSealed: Uint8Array | null;
}>`
  insert into external_identities (user_id, provider, issuer, subject, email, grant_sealed, last_used_at)
  select id, ${(given) => given.provider}::"IdentityProvider", ${(given) => given.issuer}, ${(given) => given.subject},
         ${(given) => given.email}, ${(given) => given.grantSealed}, now()
    from users
   where id = ${(given) => given.userId} and email_key = ${(given) => given.emailKey} and email_verified_at is not null
     and not exists (select from external_identities where user_id = users.id)
  on conflict (provider, issuer, subject) do nothing returning id`;

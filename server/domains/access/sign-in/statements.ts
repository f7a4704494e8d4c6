import * as z from "zod";
import { SignedInUser } from "@/server/domains/accounts/profile/contract";
import { employerActiveSql } from "@/server/domains/accounts/users/service/employer";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { PendingIdentity } from "./service/pending-identity";

const Candidate = SignedInUser.extend({
  parent_user_id: z.int().nullable(),
  email_verified: z.boolean(),
  is_employer_active: z.boolean(),
  password_hash: z.string().nullable(),
  signUpLocale: z.string().nullable(),
  has_second_factor: z.boolean(),
}).strict();
const CANDIDATE_COLUMNS = new Fragment(`
  id, name, email, phone, role, is_active, credits, allowed_modules, assigned_site_id, is_agent_only,
  reseller_id, parent_user_id, locale, sign_up_locale as "signUpLocale", email_verified_at is not null as email_verified, password_hash,
  ${employerActiveSql("users")} as is_employer_active,
  exists (select from factors where user_id = users.id and confirmed_at is not null) as has_second_factor`);

export const selectCandidate = statement(Candidate, { short: true })<{ id?: number; emailKey?: string }>`
  select ${CANDIDATE_COLUMNS} from users
   where email_key = ${(input) => input.emailKey ?? null} or id = ${(input) => input.id ?? null}`;

/** Shared row lock: a sign-in and code that revokes the account's tokens wait for each other. */
export const lockCandidateRow = statement(Candidate)<{ id: number }>`
  select ${CANDIDATE_COLUMNS} from users where id = ${(input) => input.id} for share`;

/** Order: parent, reseller (of the account, its parent or the site's owner), the site's owner. */
export const findContact = statement(
  z.strictObject({
    source: z.enum(["parent", "reseller", "site"]),
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
  }),
)<{ parentId: number | null; resellerId: number | null; siteId: number | null }>`
  select c.source, u.name, coalesce(b.support_email, u.email) as email, coalesce(b.support_phone, u.phone) as phone
    from (values ('parent', ${(input) => input.parentId}::int, 1), ('reseller', coalesce(${(input) => input.resellerId}::int, (
                    select reseller_id from users
                     where id = coalesce(${(input) => input.parentId}::int,
                                         (select user_id from sites where id = ${(input) => input.siteId}::int)))), 2),
                 ('site', (select user_id from sites where id = ${(input) => input.siteId}::int), 3)) as c(source, id, place)
    join users u on u.id = c.id and u.is_active
    left join brands b on b.user_id = u.id and c.source = 'reseller'
   order by c.place limit 1`;

export const insertTrustedDevice = statement(z.never())<{
  userId: number;
  tokenHash: Buffer;
  userAgent: string | null;
  ip: string;
  expiresAt: Date;
}>`
  insert into trusted_devices (user_id, token_hash, user_agent, ip, expires_at)
  values (${(input) => input.userId}, ${(input) => input.tokenHash}, ${(input) => input.userAgent}, ${(input) => input.ip},
          ${(input) => input.expiresAt})`;

export const recordTrustedDeviceUse = statement(z.strictObject({ id: z.int() }))<{
  userId: number;
  tokenHash: Buffer;
  ip: string;
}>`
  update trusted_devices set last_used_at = now(), ip = ${(input) => input.ip}
   where token_hash = ${(input) => input.tokenHash} and user_id = ${(input) => input.userId} and expires_at > now()
  returning id`;

export const insertInterimToken = statement(z.never())<{
  userId: number;
  purpose: InterimPurpose;
  tokenHash: Buffer;
  expiresAt: Date;
}>`
  insert into interim_tokens (user_id, purpose, token_hash, expires_at)
  values (${(input) => input.userId}, ${(input) => input.purpose}::"InterimPurpose", ${(input) => input.tokenHash},
          ${(input) => input.expiresAt})`;

export type InterimPurpose = "sign_in" | "identity";

const InterimToken = z.strictObject({
  id: z.int(),
  user_id: z.int(),
  attempts: z.int(),
  created_at: z.date(),
});

export const selectInterimToken = statement(InterimToken)<{ tokenHash: Buffer; purpose: InterimPurpose }>`
  select id, user_id, attempts, created_at from interim_tokens
   where token_hash = ${(input) => input.tokenHash} and purpose = ${(input) => input.purpose}::"InterimPurpose"
     and expires_at > now()`;

export const incrementInterimAttempts = statement(InterimToken)<{ tokenHash: Buffer }>`
  update interim_tokens set attempts = attempts + 1
   where token_hash = ${(input) => input.tokenHash} and purpose = 'sign_in' and expires_at > now()
  returning id, user_id, attempts, created_at`;

export const deleteInterimToken = statement(z.strictObject({ identity: PendingIdentity.nullable() }))<{
  id: number;
}>`
  delete from interim_tokens where id = ${(input) => input.id} returning identity`;

/** No row unless the account still has the identity's verified address and no other identity. */
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
  select id, ${(input) => input.provider}::"IdentityProvider", ${(input) => input.issuer}, ${(input) => input.subject},
         ${(input) => input.email}, ${(input) => input.grantSealed}, now()
    from users
   where id = ${(input) => input.userId} and email_key = ${(input) => input.emailKey} and email_verified_at is not null
     and not exists (select from external_identities where user_id = users.id)
  on conflict (provider, issuer, subject) do nothing returning id`;

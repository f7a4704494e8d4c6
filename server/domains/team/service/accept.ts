import type { Context } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { AppError, refuse } from "@/server/core/errors";
import { storedPhone } from "@/server/core/phone";
import { isoMicros, timeZone } from "@/server/core/time";
import { isHeld } from "@/server/domains/account/service/email";
import { audit } from "@/server/domains/audit/service";
import { missingConsents } from "@/server/domains/consents/contract";
import { recordConsents } from "@/server/domains/consents/service/record";
import { checkNewPassword } from "@/server/domains/passwords/service";
import { findCandidate } from "@/server/domains/sign-in/service/candidate";
import { applyGates } from "@/server/domains/sign-in/service/gates";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import { hashPassword } from "@/server/infrastructure/secrets/password";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";
import type { acceptInvitation, getInvitation } from "../contract";
import { grantedModules, mayInvite } from "../policy";
import { type Owner, ownsSite } from "./owner";

interface Taken {
  id: number;
  name: string;
  email: string;
  email_key: string;
  site_id: number | null;
  allowed_modules: string[] | null;
  inviter: Owner;
}

interface Look {
  name: string;
  email: string;
  inviter: string;
  site_name: string | null;
  site_domain: string | null;
  expires_at: Date;
}

/** What an open invitation says; throws `invitation_invalid` for any other. */
export async function look(
  { sql }: Context,
  { query }: Input<typeof getInvitation>,
): Promise<Answer<typeof getInvitation>> {
  const found = await find({ sql }, query.token);
  if (!found) throw refuse("invitation_invalid");
  const { site_name, site_domain, expires_at, ...said } = found;
  return {
    success: true,
    invitation: {
      ...said,
      site: site_name === null ? null : { name: site_name, domain: site_domain! },
      expires_at: isoMicros(expires_at),
    },
  };
}

async function find({ sql }: Pick<Work, "sql">, token: string): Promise<Look | undefined> {
  if (!isToken(token, "dsj")) return undefined;
  const [found] = await sql<Look>`
    select i.name, i.email, inviter.name as inviter, s.name as site_name, s.domain as site_domain, i.expires_at
      from invitations i join users inviter on inviter.id = i.inviter_id left join sites s on s.id = i.site_id
     where i.token_hash = ${digest(token)} and i.accepted_at is null and i.expires_at > now() and inviter.is_active`;
  return found;
}

/**
 * Opens the account of an invitation, once, and signs in under the same gates as a login. Who holds the link has read
 * the mail, so the address counts as verified, and may be told that it has an account already.
 */
export async function accept(
  ctx: Context,
  { body }: Input<typeof acceptInvitation>,
): Promise<Answer<typeof acceptInvitation>> {
  // Hashing costs; a dead link is not worth it.
  const invited = await find(ctx, body.token);
  if (!invited) throw refuse("invitation_invalid");
  const phone = body.phone ? storedPhone(body.phone) : null;
  await checkNewPassword(body.password, { email: invited.email });
  const missing = missingConsents(body.consents);
  if (missing.length > 0) throw new AppError("consents_missing", { missing_consents: missing });
  const passwordHash = await hashPassword(body.password);
  const timezone = body.timezone ? timeZone(body.timezone) : null;

  const passage = await withTransaction(ctx, async (tx) => {
    const invitation = await spend(tx, body.token);
    const person = { name: body.name ?? invitation.name, phone, passwordHash, timezone };
    const userId = await open(tx, invitation, person);
    await recordConsents(tx, { userId, consents: body.consents ?? {}, source: "invitation" });
    await audit(tx, {
      action: "team.joined",
      object: { type: "User", id: userId },
      actorId: userId,
      details: { inviter: invitation.inviter.id, site: invitation.site_id },
    });
    const user = await findCandidate(tx, { id: userId });
    return applyGates(tx, user!, { way: "invitation" });
  });
  if ("refusal" in passage) throw passage.refusal;
  if ("signedIn" in passage) return passage.signedIn;
  const { token, methods } = passage.interim;
  return { success: true, requires_2fa: true, interim_token: token, available_methods: methods };
}

/**
 * Takes the invitation: of many at once, one gets it. The inviter is locked first, in the order of every other change of
 * a team, and counts as he is now: whoever was deactivated, lost the site or became a sub-user since lets nobody in.
 */
async function spend({ sql }: Pick<Work, "sql">, token: string): Promise<Taken> {
  const [inviter] = await sql<Owner>`
    select u.id, u.name, u.role, u.is_active, u.is_agent_only, u.parent_user_id, u.allowed_modules
      from invitations i join users u on u.id = i.inviter_id where i.token_hash = ${digest(token)} for share of u`;
  const [row] = await sql<Omit<Taken, "inviter">>`
    update invitations set accepted_at = now()
     where token_hash = ${digest(token)} and accepted_at is null and expires_at > now()
    returning id, name, email, email_key, site_id, allowed_modules`;
  if (!inviter || !row) throw refuse("invitation_invalid");
  const siteId = row.site_id;
  if (!inviter.is_active || !mayInvite(inviter, { siteId })) throw refuse("invitation_invalid");
  if (siteId !== null && !(await ownsSite({ sql }, inviter.id, siteId))) throw refuse("invitation_invalid");
  return { ...row, inviter };
}

interface Person {
  name: string;
  phone: string | null;
  passwordHash: string;
  timezone: string | null;
}

/** The new account; its modules are none that the inviter has lost since. */
async function open({ db, sql }: Work, { inviter, ...invitation }: Taken, person: Person): Promise<number> {
  const { email, email_key: key, site_id: siteId } = invitation;
  const modules = grantedModules(invitation.allowed_modules, inviter.allowed_modules);
  const [user] = await sql<{ id: number }>`
    insert into users (name, email, email_key, email_verified_at, phone, password_hash, timezone, parent_user_id,
                       is_agent_only, assigned_site_id, allowed_modules)
    values (${person.name}, ${email}, ${key}, now(), ${person.phone}, ${person.passwordHash}, ${person.timezone},
            ${inviter.id}, ${siteId !== null}, ${siteId}, ${modules && JSON.stringify(modules)}::jsonb)
    on conflict (email_key) do nothing returning id`;
  if (!user || (await isHeld({ db }, { email, by: user.id }))) throw refuse("invitation_address_taken");
  return user.id;
}

import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, refuse } from "@/server/core/errors";
import { normalisePhone } from "@/server/core/phone";
import { emailKey } from "@/server/core/schema";
import { isoMicros, timeZone } from "@/server/core/time";
import { findCandidate } from "@/server/domains/access/sign-in/service/candidate";
import { applyGates } from "@/server/domains/access/sign-in/service/gates";
import { checkNewPassword } from "@/server/domains/access/sign-in/service/passwords";
import { endCompetingChanges } from "@/server/domains/access/verification/service/confirm-change";
import { type Consents, missingConsents } from "@/server/domains/accounts/consents/contract";
import { type NewAccount, openAccount } from "@/server/domains/accounts/profile/service/open";
import { lockAddress } from "@/server/domains/accounts/users/service/lock";
import { holdSite } from "@/server/domains/sites/sites/service/manageable";
import {
  findInvitation,
  isCustomerToken,
  openCustomer,
} from "@/server/domains/tenancy/customers/service/accept";
import { Prisma } from "@/server/infrastructure/database/generated/client";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { hashPassword } from "@/server/infrastructure/secrets/password";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";
import type { acceptInvitation, getInvitation } from "../contract";
import { modulesIn } from "../dto";
import { canInvite, grantedModules } from "../policy";
import { lockInviter, type Owner } from "../statements";
import { findTeamSite } from "./owner";

const ACCEPTED = {
  id: true,
  name: true,
  email: true,
  siteId: true,
  allowedModules: true,
} as const satisfies Prisma.InvitationSelect;
type Accepted = Prisma.InvitationGetPayload<{ select: typeof ACCEPTED }> & { inviter: Owner };

const matchesToken = (token: string) =>
  ({
    tokenHash: digest(token),
    acceptedAt: null,
    expiresAt: { gt: new Date() },
  }) satisfies Prisma.InvitationWhereInput;

export async function get(
  { db }: Context,
  { query }: Input<typeof getInvitation>,
): Promise<Output<typeof getInvitation>> {
  const customer = isCustomerToken(query.token) && (await findInvitation({ db }, query.token));
  if (customer) {
    const { name, email, reseller, expiresAt } = customer;
    const invitation = { name, email, inviter: reseller.name, site: null, expires_at: isoMicros(expiresAt) };
    return { success: true, invitation: { ...invitation, kind: "customer" } };
  }
  const invitation = await findTeamInvitation({ db }, query.token);
  if (!invitation) throw refuse("invitation_invalid");
  const { name, email, inviter, site, expiresAt } = invitation;
  return {
    success: true,
    invitation: {
      name,
      email,
      inviter: inviter.name,
      site,
      expires_at: isoMicros(expiresAt),
      kind: site ? "agent" : "sub_user",
    },
  };
}

async function findTeamInvitation({ db }: Pick<DbAccess, "db">, token: string) {
  if (!isToken(token, "dsj")) return null;
  return db.invitation.findFirst({
    where: {
      ...matchesToken(token),
      inviter: { isActive: true },
      OR: [{ siteId: null }, { site: { deletedAt: null, owner: { isActive: true } } }],
    },
    select: {
      name: true,
      email: true,
      siteId: true,
      expiresAt: true,
      inviter: { select: { name: true } },
      site: { select: { name: true, domain: true } },
    },
  });
}

/** The link was read in the mailbox, so the address is verified and may be revealed as taken. */
export async function accept(
  ctx: Context,
  { body }: Input<typeof acceptInvitation>,
): Promise<Output<typeof acceptInvitation>> {
  // Checked before the expensive password hash.
  const isCustomer = isCustomerToken(body.token);
  const invited = await (isCustomer ? findInvitation(ctx, body.token) : findTeamInvitation(ctx, body.token));
  if (!invited) throw refuse("invitation_invalid");
  const phone = body.phone ? normalisePhone(body.phone) : null;
  await checkNewPassword(body.password, { email: invited.email });
  const missing = missingConsents(body.consents);
  if (missing.length > 0) throw new AppError("consents_missing", { missing_consents: missing });
  const passwordHash = await hashPassword(body.password);
  const timezone = body.timezone ? timeZone(body.timezone) : null;

  const outcome = await withTransaction(ctx, async (tx) => {
    const key = emailKey(invited.email);
    await lockAddress(tx, key);
    const person = { name: body.name ?? invited.name, phone, passwordHash, timezone };
    const consents = body.consents ?? {};
    const userId = isCustomer
      ? await openCustomer(tx, body.token, { person, consents })
      : await openMember(tx, {
          token: body.token,
          siteId: "siteId" in invited ? invited.siteId : null,
          person,
          consents,
        });
    await endCompetingChanges(tx, { userId, emailKey: key });
    const user = await findCandidate(tx, { id: userId });
    return applyGates(tx, user!, { way: "invitation" });
  });
  if ("refusal" in outcome) throw outcome.refusal;
  if ("signedIn" in outcome) return outcome.signedIn;
  const { token, methods } = outcome.interim;
  return { success: true, requires_2fa: true, interim_token: token, available_methods: methods };
}

async function openMember(
  tx: Context,
  {
    token,
    siteId,
    person,
    consents,
  }: { token: string; siteId: number | null; person: Person; consents: Consents },
): Promise<number> {
  const invitation = await takeInvitation(tx, token, siteId);
  const userId = await openAccount(tx, accountOf(invitation, person), {
    consents,
    source: "invitation",
    entry: { action: "team.joined", details: { inviter: invitation.inviter.id, site: invitation.siteId } },
  });
  if (!userId) throw refuse("invitation_address_taken");
  return userId;
}

/**
 * Only one of several concurrent calls gets the invitation. The inviter is locked first and its current state
 * checked. Deletes the row: its personal data must not outlive the account.
 */
async function takeInvitation(tx: DbAccess, token: string, siteId: number | null): Promise<Accepted> {
  const [inviter] = await lockInviter(tx, { tokenHash: digest(token) });
  // The deletion of a site locks the site before its invitations.
  if (siteId !== null && !(await holdSite(tx, siteId))) throw refuse("invitation_invalid");
  const [row] = await tx.db.invitation.updateManyAndReturn({
    where: matchesToken(token),
    data: { acceptedAt: new Date() },
    select: ACCEPTED,
  });
  if (!inviter || !row) throw refuse("invitation_invalid");
  if (!inviter.isActive || !canInvite(inviter, { siteId })) throw refuse("invitation_invalid");
  if (siteId !== null && !(await findTeamSite(tx, inviter.id, siteId))?.isOwnerActive)
    throw refuse("invitation_invalid");
  await tx.db.invitation.delete({ where: { id: row.id }, select: { id: true } });
  return { ...row, inviter };
}

interface Person {
  name: string;
  phone: string | null;
  passwordHash: string;
  timezone: string | null;
}

/** Leaves out modules that the inviter has lost since. */
function accountOf({ inviter, ...invitation }: Accepted, person: Person): NewAccount {
  const { email, siteId } = invitation;
  const modules = grantedModules(modulesIn(invitation.allowedModules), inviter.allowedModules);
  return {
    ...person,
    email,
    emailVerifiedAt: new Date(),
    parentUserId: inviter.id,
    isAgentOnly: siteId !== null,
    assignedSiteId: siteId,
    allowedModules: modules ?? Prisma.DbNull,
  };
}

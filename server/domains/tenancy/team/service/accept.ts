import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, createError } from "@/server/core/errors";
import { normalisePhone } from "@/server/core/phone";
import { toEmailKey } from "@/server/core/schema";
import { toCanonicalZone, toIsoMicros } from "@/server/core/time";
import { findCandidate } from "@/server/domains/access/sign-in/service/candidate";
import { signInThroughGates } from "@/server/domains/access/sign-in/service/gates";
import { checkNewPassword } from "@/server/domains/access/sign-in/service/passwords";
import { cancelCompetingEmailChanges } from "@/server/domains/access/verification/service/confirm-change";
import { type Consents, findMissingConsents } from "@/server/domains/accounts/consents/contract";
import { type NewAccount, openAccount } from "@/server/domains/accounts/profile/service/open";
import { lockEmailAddress } from "@/server/domains/accounts/users/service/lock";
import { lockSiteAgainstDeletion } from "@/server/domains/sites/sites/service/manageable";
import {
  findCustomerInvitation,
  isCustomerInvitationToken,
  openCustomerAccount,
} from "@/server/domains/tenancy/customers/service/accept";
import { Prisma } from "@/server/infrastructure/database/generated/client";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { hashPassword } from "@/server/infrastructure/secrets/password";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import type { acceptInvitation, getInvitation } from "../contract";
import { castModules } from "../dto";
import { canInvite, intersectModules } from "../policy";
import { lockInviter, type Owner } from "../statements";
import { findTeamSite } from "./owner";

const ACCEPTED_INVITATION_SELECT = {
  id: true,
  name: true,
  email: true,
  siteId: true,
  allowedModules: true,
} as const satisfies Prisma.InvitationSelect;
type AcceptedInvitation = Prisma.InvitationGetPayload<{ select: typeof ACCEPTED_INVITATION_SELECT }> & {
  inviter: Owner;
};

const whereValidToken = (token: string) =>
  ({
    tokenHash: hashSecret(token),
    acceptedAt: null,
    expiresAt: { gt: new Date() },
  }) satisfies Prisma.InvitationWhereInput;

export async function getInvitationByToken(
  { db }: Context,
  { query }: Input<typeof getInvitation>,
): Promise<Output<typeof getInvitation>> {
  const customerInvitation =
    isCustomerInvitationToken(query.token) && (await findCustomerInvitation({ db }, query.token));
  if (customerInvitation) {
    const { name, email, reseller, expiresAt } = customerInvitation;
    const invitation = {
      name,
      email,
      inviter: reseller.name,
      site: null,
      expires_at: toIsoMicros(expiresAt),
    };
    return { success: true, invitation: { ...invitation, kind: "customer" } };
  }
  const invitation = await findTeamInvitation({ db }, query.token);
  if (!invitation) throw createError("invitation_invalid");
  const { name, email, inviter, site, expiresAt } = invitation;
  return {
    success: true,
    invitation: {
      name,
      email,
      inviter: inviter.name,
      site,
      expires_at: toIsoMicros(expiresAt),
      kind: site ? "agent" : "sub_user",
    },
  };
}

async function findTeamInvitation({ db }: Pick<DbAccess, "db">, token: string) {
  if (!isWellFormedToken(token, "dsj")) return null;
  return db.invitation.findFirst({
    where: {
      ...whereValidToken(token),
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

/** The caller has the mailed link, so the address counts as verified and may be revealed as taken. */
export async function acceptInvitationAndSignIn(
  ctx: Context,
  { body }: Input<typeof acceptInvitation>,
): Promise<Output<typeof acceptInvitation>> {
  // Checked before the expensive password hash.
  const isCustomer = isCustomerInvitationToken(body.token);
  const invitation = await (isCustomer
    ? findCustomerInvitation(ctx, body.token)
    : findTeamInvitation(ctx, body.token));
  if (!invitation) throw createError("invitation_invalid");
  const phone = body.phone ? normalisePhone(body.phone) : null;
  await checkNewPassword(body.password, { email: invitation.email });
  const missingConsents = findMissingConsents(body.consents);
  if (missingConsents.length > 0)
    throw new AppError("consents_missing", { missing_consents: missingConsents });
  const passwordHash = await hashPassword(body.password);
  const timezone = body.timezone ? toCanonicalZone(body.timezone) : null;

  const outcome = await withTransaction(ctx, async (tx) => {
    const addressKey = toEmailKey(invitation.email);
    await lockEmailAddress(tx, addressKey);
    const person = { name: body.name ?? invitation.name, phone, passwordHash, timezone };
    const consents = body.consents ?? {};
    const userId = isCustomer
      ? await openCustomerAccount(tx, body.token, { person, consents })
      : await openMemberAccount(tx, {
          token: body.token,
          siteId: "siteId" in invitation ? invitation.siteId : null,
          person,
          consents,
        });
    await cancelCompetingEmailChanges(tx, { userId, emailKey: addressKey });
    const user = await findCandidate(tx, { id: userId });
    return signInThroughGates(tx, user!, { method: "invitation" });
  });
  if ("refusal" in outcome) throw outcome.refusal;
  if ("signedIn" in outcome) return outcome.signedIn;
  const { token, methods } = outcome.interim;
  return { success: true, requires_2fa: true, interim_token: token, available_methods: methods };
}

async function openMemberAccount(
  tx: Context,
  {
    token,
    siteId,
    person,
    consents,
  }: { token: string; siteId: number | null; person: InvitedPerson; consents: Consents },
): Promise<number> {
  const invitation = await consumeInvitation(tx, token, siteId);
  const userId = await openAccount(tx, toNewAccount(invitation, person), {
    consents,
    source: "invitation",
    auditEntry: {
      action: "team.joined",
      details: { inviter: invitation.inviter.id, site: invitation.siteId },
    },
  });
  if (!userId) throw createError("invitation_address_taken");
  return userId;
}

/** Only one of several calls gets the invitation. The row's personal data must not outlive the account. */
async function consumeInvitation(
  tx: DbAccess,
  token: string,
  siteId: number | null,
): Promise<AcceptedInvitation> {
  const [inviter] = await lockInviter(tx, { tokenHash: hashSecret(token) });
  // The deletion of a site locks the site before its invitations.
  if (siteId !== null && !(await lockSiteAgainstDeletion(tx, siteId)))
    throw createError("invitation_invalid");
  const [row] = await tx.db.invitation.updateManyAndReturn({
    where: whereValidToken(token),
    data: { acceptedAt: new Date() },
    select: ACCEPTED_INVITATION_SELECT,
  });
  if (!inviter || !row) throw createError("invitation_invalid");
  if (!inviter.isActive || !canInvite(inviter, { siteId })) throw createError("invitation_invalid");
  if (siteId !== null && !(await findTeamSite(tx, inviter.id, siteId))?.isOwnerActive)
    throw createError("invitation_invalid");
  await tx.db.invitation.delete({ where: { id: row.id }, select: { id: true } });
  return { ...row, inviter };
}

interface InvitedPerson {
  name: string;
  phone: string | null;
  passwordHash: string;
  timezone: string | null;
}

/** Omits modules that the inviter no longer has. */
function toNewAccount({ inviter, ...invitation }: AcceptedInvitation, person: InvitedPerson): NewAccount {
  const { email, siteId } = invitation;
  const modules = intersectModules(castModules(invitation.allowedModules), inviter.allowedModules);
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

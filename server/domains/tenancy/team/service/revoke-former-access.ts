import type { Context } from "@/server/core/context";
import { releaseAgents } from "@/server/domains/accounts/users/service/change";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { endKeysOfFormerManagers } from "@/server/domains/sites/external-keys/service";
import {
  transferLicencesOfPayer,
  transferLicencesToOwner,
} from "@/server/domains/sites/slots/service/licences";
import { revokeAccessOfDeactivated } from "@/server/domains/tenancy/customers/service/revoke-access";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

/** Removes agents from their site and signs them out. Notifies those who were active. */
export async function dismissAgents(tx: Context, where: Prisma.UserWhereInput): Promise<void> {
  const { agentIds, activeAgentIds } = await releaseAgents(tx, where);
  for (const id of agentIds) await revokeAccessOfDeactivated(tx, id);
  for (const id of activeAgentIds) await notifyOwner(tx, id, "agent_without_site", { path: "/sign-in" });
}

const whereAgentsOfOthers = (userIds: readonly number[], keepIds: readonly number[]) => ({
  isAgentOnly: true,
  assignedSite: { is: { userId: { in: [...userIds] } } },
  NOT: { parentUserId: { in: [...keepIds] } },
});

/** IDs of the agents to lock before {@link revokeFormerAccess}. */
export async function listForeignAgentIds(
  { db }: Pick<Context, "db">,
  familyIds: readonly number[],
): Promise<number[]> {
  const agents = await db.user.findMany({
    where: whereAgentsOfOthers(familyIds, familyIds),
    select: { id: true },
  });
  return agents.map(({ id }) => id);
}

/**
 * Ends the access of others, except `keepIds`, to an account's sites. Mail accounts need a new test, because
 * their server can read sign-in links. Lock the account and `listForeignAgentIds` first.
 */
export async function revokeFormerAccess(
  tx: Context,
  userId: number,
  keepIds: readonly number[] = [userId],
): Promise<void> {
  await tx.db.invitation.deleteMany({
    where: { site: { userId }, inviterId: { notIn: [...keepIds] }, acceptedAt: null },
  });
  await dismissAgents(tx, whereAgentsOfOthers([userId], keepIds));
  await endKeysOfFormerManagers(tx, {
    site: { userId },
    madeBy: { id: { notIn: [...keepIds] }, role: { not: "admin" } },
  });
  await transferLicencesToOwner(tx, userId, keepIds);
  await unverifyMailAccounts(tx, { userId });
}

/** Ends what an account set up on other accounts' sites; `keepsSubAccountLicences` excludes its members' sites. */
export async function revokeAccessToOtherSites(
  tx: Context,
  id: number,
  { keepsMembers = false } = {},
): Promise<void> {
  const whereSite = {
    userId: { not: id },
    ...(keepsMembers && { owner: { OR: [{ parentUserId: null }, { parentUserId: { not: id } }] } }),
  };
  await tx.db.invitation.deleteMany({ where: { inviterId: id, site: whereSite, acceptedAt: null } });
  await dismissAgents(tx, { parentUserId: id, assignedSite: { is: whereSite } });
  await endKeysOfFormerManagers(tx, { madeById: id, site: whereSite });
  await transferLicencesOfPayer(tx, id, { keepsSubAccountLicences: keepsMembers });
  const whereOwnerBelow = [{ parentUserId: id }, { resellerId: id }, { parent: { resellerId: id } }];
  await unverifyMailAccounts(tx, { AND: [whereSite, { owner: { OR: whereOwnerBelow } }] });
}

async function unverifyMailAccounts(
  { db }: Pick<Context, "db">,
  whereSite: Prisma.SiteWhereInput,
): Promise<void> {
  await db.mailAccount.updateMany({
    where: { site: whereSite, verifiedAt: { not: null } },
    data: { verifiedAt: null },
  });
}

import type { Context } from "@/server/core/context";
import { releaseAgents } from "@/server/domains/accounts/users/service/change";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { endKeysOfFormerManagers } from "@/server/domains/sites/external-keys/service";
import { transferLicencesOf, transferLicencesToOwner } from "@/server/domains/sites/slots/service/licences";
import { revokeAccess } from "@/server/domains/tenancy/customers/service/revoke-access";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

export async function dismissAgents(tx: Context, where: Prisma.UserWhereInput): Promise<void> {
  const { agents, activeAgents } = await releaseAgents(tx, where);
  for (const id of agents) await revokeAccess(tx, id);
  for (const id of activeAgents) await notifyOwner(tx, id, "agent_without_site", { path: "/sign-in" });
}

/** Agents on sites of these accounts that were invited by accounts other than `keep`. */
const agentsOfOthers = (userIds: readonly number[], keep: readonly number[]) => ({
  isAgentOnly: true,
  assignedSite: { is: { userId: { in: [...userIds] } } },
  NOT: { parentUserId: { in: [...keep] } },
});

/** IDs of the agents to lock before {@link revokeFormerAccess}. */
export async function agentsOfFormerParents(
  { db }: Pick<Context, "db">,
  family: readonly number[],
): Promise<number[]> {
  const agents = await db.user.findMany({ where: agentsOfOthers(family, family), select: { id: true } });
  return agents.map(({ id }) => id);
}

/**
 * Ends what a former parent or reseller set up on an account's sites. Licences pass to the account, and mail
 * accounts need a new test, because their server reads links in mails. `keep` lists the accounts that keep
 * access. Lock the account and {@link agentsOfFormerParents} first.
 */
export async function revokeFormerAccess(
  tx: Context,
  userId: number,
  keep: readonly number[] = [userId],
): Promise<void> {
  await tx.db.invitation.deleteMany({
    where: { site: { userId }, inviterId: { notIn: [...keep] }, acceptedAt: null },
  });
  await dismissAgents(tx, agentsOfOthers([userId], keep));
  await endKeysOfFormerManagers(tx, {
    site: { userId },
    madeBy: { id: { notIn: [...keep] }, role: { not: "admin" } },
  });
  await transferLicencesToOwner(tx, userId, keep);
  await unverifyMailAccounts(tx, { userId });
}

/** Ends what an account set up on the sites of others; with `keepsMembers`, except those of its members. */
export async function revokeAccessOf(tx: Context, id: number, { keepsMembers = false } = {}): Promise<void> {
  const site = {
    userId: { not: id },
    ...(keepsMembers && { owner: { OR: [{ parentUserId: null }, { parentUserId: { not: id } }] } }),
  };
  await tx.db.invitation.deleteMany({ where: { inviterId: id, site, acceptedAt: null } });
  await dismissAgents(tx, { parentUserId: id, assignedSite: { is: site } });
  await endKeysOfFormerManagers(tx, { madeById: id, site });
  await transferLicencesOf(tx, id, { keepsMembers });
  const owned = [{ parentUserId: id }, { resellerId: id }, { parent: { resellerId: id } }];
  await unverifyMailAccounts(tx, { AND: [site, { owner: { OR: owned } }] });
}

async function unverifyMailAccounts({ db }: Pick<Context, "db">, site: Prisma.SiteWhereInput): Promise<void> {
  await db.mailAccount.updateMany({ where: { site, verifiedAt: { not: null } }, data: { verifiedAt: null } });
}

import type { Context } from "@/server/core/context";
import { releaseAgents } from "@/server/domains/accounts/users/service/change";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { shutOut } from "@/server/domains/tenancy/customers/service/shut-out";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

/** Takes their site from agents: they are signed out, deactivated and told. */
export async function dismissAgents(tx: Context, where: Prisma.UserWhereInput): Promise<void> {
  const { agents, told } = await releaseAgents(tx, where);
  for (const id of agents) await shutOut(tx, id);
  for (const id of told) await notifyOwner(tx, id, "agent_without_site", { path: "/sign-in" });
}

/** Agents on sites of an account whom others than these have taken in. */
const fromAbove = (userId: number, staying: readonly number[]) => ({
  isAgentOnly: true,
  assignedSite: { is: { userId } },
  NOT: { parentUserId: { in: [...staying] } },
});

/** Their numbers, to be locked. */
export async function agentsFromAbove({ db }: Pick<Context, "db">, userId: number): Promise<number[]> {
  const agents = await db.user.findMany({ where: fromAbove(userId, [userId]), select: { id: true } });
  return agents.map(({ id }) => id);
}

/**
 * Ends what accounts above have brought to an account's sites, because they are above it no more: their agents there, those
 * that are still invited, and mail servers that they may have set, which would read the links in mails until somebody tests
 * them again. `staying` are the account and those above it that stay there. Lock the account and `agentsFromAbove` first.
 */
export async function endReachFromAbove(
  tx: Context,
  userId: number,
  staying: readonly number[] = [userId],
): Promise<void> {
  await tx.db.invitation.deleteMany({
    where: { site: { userId }, inviterId: { notIn: [...staying] }, acceptedAt: null },
  });
  await dismissAgents(tx, fromAbove(userId, staying));
  await tx.db.mailAccount.updateMany({
    where: { site: { userId }, verifiedAt: { not: null } },
    data: { verifiedAt: null },
  });
}

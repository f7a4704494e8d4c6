import { type Context, createSystemContext } from "@/server/core/context";
import { OperatorError } from "@/server/core/operator-error";
import { toEmailKey } from "@/server/core/schema";
import { resetFactors, selectFactorKinds } from "@/server/domains/access/two-factor/service/reset-factors";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockAdministrators, lockUser } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { createPlanSubscription } from "@/server/domains/billing/subscriptions/service/create-subscription";
import { recordPaperSignature } from "@/server/domains/tenancy/legal-texts/service/record-signature";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { changeRole } from "./role";
import { lockFamily } from "./target-account";

const MAX_LISTED_RECORDS = 10;

export async function grantPlan(email: string, planSlug: string) {
  return inTransaction(async (transaction) => {
    const tx = createSystemContext(transaction);
    const { id } = await requireAccount(tx, email);
    const subscription = await createPlanSubscription(tx, { userId: id, slug: planSlug });
    if (subscription) return subscription;
    const plans = await tx.db.subscriptionPlan.findMany({
      where: { isActive: true },
      orderBy: { sortOrder: "asc" },
      take: MAX_LISTED_RECORDS,
      select: { slug: true },
    });
    throw new OperatorError(
      `There is no plan ${planSlug}. There are: ${plans.map((plan) => plan.slug).join(", ")}.`,
    );
  });
}

/** Records a paper signature. Throws `OperatorError` for administrators, agents and unverified accounts. */
export async function appointReseller(email: string): Promise<{ referralCode: string | null }> {
  return inTransaction(async (transaction) => {
    const tx = createSystemContext(transaction);
    await lockAdministrators(tx);
    const { id } = await requireAccount(tx, email);
    await lockFamily(tx, id);
    const { role, isAgentOnly, emailVerifiedAt } = await requireAccount(tx, email);
    if (role === "admin")
      throw new OperatorError(`${email} is an administrator; another one takes that role away.`);
    if (isAgentOnly) throw new OperatorError(`${email} is a team agent, whose role cannot be changed.`);
    if (!emailVerifiedAt) throw new OperatorError(`${email} has not verified this address yet.`);
    if (role !== "reseller") await changeRole(tx, { id, from: role, to: "reseller" });
    await recordPaperSignature(tx, id);
    await audit(tx, {
      action: "role.changed",
      object: { type: "User", id },
      details: { before: role, after: "reseller", reason: "console", agreement_signed: true },
    });
    const reseller = await tx.db.reseller.findUniqueOrThrow({
      where: { userId: id },
      select: { referralCode: true },
    });
    return { referralCode: reseller.referralCode };
  });
}

/** Emergency reset without delay or approval. Returns the removed kinds. */
export async function removeSecondFactors(email: string): Promise<string[]> {
  return inTransaction(async (transaction) => {
    const tx = createSystemContext(transaction);
    const { id } = await requireAccount(tx, email);
    await lockUser(tx, id);
    // No selected kinds means all kinds.
    const removedKinds = await resetFactors(tx, id, selectFactorKinds([]));
    if (removedKinds.length === 0) return removedKinds;
    await audit(tx, {
      action: "factor_reset.done",
      object: { type: "User", id },
      details: { reason: "console", removed: removedKinds.join(", ") },
    });
    await notifyOwner(tx, id, "factor_reset_done", { path: "/sign-in" });
    return removedKinds;
  });
}

async function requireAccount({ db }: Context, email: string) {
  const account = await db.user.findUnique({
    where: { emailKey: toEmailKey(email) },
    select: { id: true, role: true, isAgentOnly: true, emailVerifiedAt: true },
  });
  if (account) return account;
  const newestUsers = await db.user.findMany({
    where: { anonymisedAt: null },
    orderBy: { id: "desc" },
    take: MAX_LISTED_RECORDS,
    select: { email: true },
  });
  const addresses = newestUsers.map((user) => user.email).join(", ") || "none yet";
  throw new OperatorError(
    `There is no account with the address ${email}. The newest accounts: ${addresses}.`,
  );
}

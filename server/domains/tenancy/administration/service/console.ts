import { type Context, systemContext } from "@/server/core/context";
import { OperatorError } from "@/server/core/operator-error";
import { emailKey } from "@/server/core/schema";
import { factorsOf, resetFactors } from "@/server/domains/access/two-factor/service/reset";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockAdministrators, lockUser } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { activatePlan } from "@/server/domains/billing/subscriptions/service/activate";
import { recordPaperSignature } from "@/server/domains/tenancy/legal-texts/service/record";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { changeRole } from "./role";
import { lockFamily } from "./target";

/** Accounts or plans listed in an error, so that a typo is noticed. */
const LISTED = 10;

/** Activates a plan. Throws `OperatorError` for an unknown address or plan. */
export async function grantPlan(email: string, slug: string) {
  return inTransaction(async (work) => {
    const tx = systemContext(work);
    const { id } = await accountOf(tx, email);
    const subscription = await activatePlan(tx, { userId: id, slug });
    if (subscription) return subscription;
    const plans = await tx.db.subscriptionPlan.findMany({
      where: { isActive: true },
      orderBy: { sortOrder: "asc" },
      take: LISTED,
      select: { slug: true },
    });
    throw new OperatorError(
      `There is no plan ${slug}. There are: ${plans.map((plan) => plan.slug).join(", ")}.`,
    );
  });
}

/** Makes an account a reseller who signed on paper. Throws `OperatorError` if that is not possible. */
export async function makeReseller(email: string): Promise<{ code: string | null }> {
  return inTransaction(async (work) => {
    const tx = systemContext(work);
    await lockAdministrators(tx);
    const { id } = await accountOf(tx, email);
    await lockFamily(tx, id);
    const { role, isAgentOnly, emailVerifiedAt } = await accountOf(tx, email);
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
    const desk = await tx.db.reseller.findUniqueOrThrow({
      where: { userId: id },
      select: { referralCode: true },
    });
    return { code: desk.referralCode };
  });
}

/** Removes all second factors, for an administrator no other can help. Returns the removed ones. */
export async function removeFactors(email: string): Promise<string[]> {
  return inTransaction(async (work) => {
    const tx = systemContext(work);
    const { id } = await accountOf(tx, email);
    await lockUser(tx, id);
    const removed = await resetFactors(tx, id, factorsOf([]));
    if (removed.length === 0) return removed;
    await audit(tx, {
      action: "factor_reset.done",
      object: { type: "User", id },
      details: { reason: "console", removed: removed.join(", ") },
    });
    await notifyOwner(tx, id, "factor_reset_done", { path: "/sign-in" });
    return removed;
  });
}

async function accountOf({ db }: Context, email: string) {
  const account = await db.user.findUnique({
    where: { emailKey: emailKey(email) },
    select: { id: true, role: true, isAgentOnly: true, emailVerifiedAt: true },
  });
  if (account) return account;
  const newest = await db.user.findMany({
    where: { anonymisedAt: null },
    orderBy: { id: "desc" },
    take: LISTED,
    select: { email: true },
  });
  const addresses = newest.map((user) => user.email).join(", ") || "none yet";
  throw new OperatorError(
    `There is no account with the address ${email}. The newest accounts: ${addresses}.`,
  );
}

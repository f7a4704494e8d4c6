import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { recordConsents } from "@/server/domains/accounts/consents/service/record";
import { findPortalReseller } from "@/server/domains/accounts/portals/service/access";
import { CLEARED_VALUES, updateUser } from "@/server/domains/accounts/users/service/change";
import { erasePersonalData } from "@/server/domains/accounts/users/service/personal-data";
import { removeOrders } from "@/server/domains/billing/subscriptions/service/orders";
import { anonymiseCleanups } from "@/server/domains/sites/connections/service/teardown";
import { type Newcomer, nameOf } from "./newcomer";
import type { Identity } from "./verify";

/**
 * Gives an unverified account to the user who proved its address. Deletes every row that deleting the account
 * would, and withdraws consents, which the new owner never gave. Jobs clean up external services.
 */
export async function takeOver(
  tx: Context,
  userId: number,
  { identity, newcomer }: { identity: Identity; newcomer: Newcomer },
): Promise<void> {
  await anonymiseCleanups(tx, userId);
  await erasePersonalData(tx, userId);
  await removeOrders(tx, userId);
  await updateUser(
    tx,
    { id: userId },
    {
      ...CLEARED_VALUES,
      name: nameOf(identity, newcomer),
      // The former registrant's reseller does not count.
      resellerId: await findPortalReseller(tx),
      provider: identity.provider,
      avatarUrl: identity.avatarUrl,
      emailVerifiedAt: new Date(),
    },
  );
  const none = Object.fromEntries(CONSENTS.map((key) => [key, false]));
  await recordConsents(tx, { userId, consents: { ...none, ...newcomer.consents }, source: "provider" });
  await audit(tx, {
    action: "account.claimed",
    object: { type: "User", id: userId },
    actorId: userId,
    details: { provider: identity.provider },
  });
}

import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { recordConsents } from "@/server/domains/accounts/consents/service/record";
import { findPortalResellerId } from "@/server/domains/accounts/portals/service/access";
import { CLEARED_ACCOUNT_VALUES, updateUser } from "@/server/domains/accounts/users/service/change";
import { erasePersonalData } from "@/server/domains/accounts/users/service/personal-data";
import { deleteUnpaidSubscriptions } from "@/server/domains/billing/subscriptions/service/orders";
import { anonymiseCleanups } from "@/server/domains/sites/connections/service/teardown";
import type { Identity } from "./id-token";
import { getNewcomerName, type Newcomer } from "./newcomer";

/** Deletes what an account deletion deletes, and withdraws consents, which the new owner never gave. */
export async function takeOverAccount(
  tx: Context,
  userId: number,
  { identity, newcomer }: { identity: Identity; newcomer: Newcomer },
): Promise<void> {
  await anonymiseCleanups(tx, userId);
  await erasePersonalData(tx, userId);
  await deleteUnpaidSubscriptions(tx, userId);
  await updateUser(
    tx,
    { id: userId },
    {
      ...CLEARED_ACCOUNT_VALUES,
      name: getNewcomerName(identity, newcomer),
      // Not the reseller that the former registrant chose.
      resellerId: await findPortalResellerId(tx),
      provider: identity.provider,
      avatarUrl: identity.avatarUrl,
      emailVerifiedAt: new Date(),
    },
  );
  const withdrawnConsents = Object.fromEntries(CONSENTS.map((key) => [key, false]));
  await recordConsents(tx, {
    userId,
    consents: { ...withdrawnConsents, ...newcomer.consents },
    source: "provider",
  });
  await audit(tx, {
    action: "account.claimed",
    object: { type: "User", id: userId },
    actorId: userId,
    details: { provider: identity.provider },
  });
}

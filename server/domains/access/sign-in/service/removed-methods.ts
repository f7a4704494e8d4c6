import type { Locale } from "@/server/core/locale";
import { text } from "@/server/core/texts";
import { HOUR } from "@/server/core/time";
import { ADDITION_HOURS } from "@/server/domains/accounts/additions/contract";
import { revokeSupportAccess } from "@/server/domains/accounts/users/service/personal-data";
import { deleteChangedWebhooks } from "@/server/domains/accounts/webhooks/service/delete";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

export interface RemovedMethods {
  passkeys: Array<{ deviceName: string }>;
  identities: Array<{ provider: "google" | "apple" }>;
  factors: Array<{ kind: "totp" | "email" | "sms" }>;
}

/** Start of the time in doubt: an intruder may add a sign-in method before changing the address. */
export function doubtfulSince(changedAt: Date): Date {
  return new Date(changedAt.getTime() - ADDITION_HOURS * HOUR);
}

/**
 * Removes credentials added since a time, webhooks created or redirected since then, and permission to view
 * the panel given since then. Tokens and keys end elsewhere.
 */
export async function removeMethodsSince(
  tx: Pick<DbAccess, "db">,
  userId: number,
  { since }: { since: Date },
): Promise<RemovedMethods> {
  const { db } = tx;
  const where = { userId, createdAt: { gte: since } };
  const passkeys = await db.passkey.findMany({ where, select: { deviceName: true } });
  const identities = await db.externalIdentity.findMany({ where, select: { provider: true } });
  const factors = await db.factor.findMany({ where, select: { kind: true } });
  await db.passkey.deleteMany({ where });
  await db.externalIdentity.deleteMany({ where });
  await db.factor.deleteMany({ where });
  if ((await db.factor.count({ where: { userId, confirmedAt: { not: null } } })) === 0)
    await db.recoveryCode.deleteMany({ where: { userId } });
  await deleteChangedWebhooks(tx, userId, since);
  await revokeSupportAccess(tx, userId, since);
  return { passkeys, identities, factors };
}

export function removedMethodParams(
  removed: RemovedMethods,
  locale: Locale,
): { removed: "some" | "none"; ways: string } {
  const ways = nameWays(removed, locale);
  return { removed: ways ? "some" : "none", ways };
}

function nameWays({ passkeys, identities, factors }: RemovedMethods, locale: Locale): string {
  const names = [
    ...passkeys.map(({ deviceName }) => text(locale, "responses.ways_in.passkey", { name: deviceName })),
    ...identities.map(({ provider }) => text(locale, `responses.ways_in.${provider}`)),
    ...factors.map(({ kind }) => text(locale, `responses.ways_in.${kind}`)),
  ];
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(names);
}

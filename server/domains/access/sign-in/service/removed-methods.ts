import { formatList } from "@/server/core/format";
import type { Locale } from "@/server/core/locale";
import { formatText } from "@/server/core/texts";
import { HOUR } from "@/server/core/time";
import { SUSPECT_ADDITION_HOURS } from "@/server/domains/accounts/additions/contract";
import { revokeSupportAccessChangedSince } from "@/server/domains/accounts/users/service/personal-data";
import { deleteChangedWebhooks } from "@/server/domains/accounts/webhooks/service/delete";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

export interface RemovedMethods {
  passkeys: Array<{ deviceName: string }>;
  identities: Array<{ provider: "google" | "apple" }>;
  factors: Array<{ kind: "totp" | "email" | "sms" }>;
}

/** Starts before the change of address: an intruder may have added a sign-in method first. */
export function getSuspectStartBefore(changedAt: Date): Date {
  return new Date(changedAt.getTime() - SUSPECT_ADDITION_HOURS * HOUR);
}

/** Removes sign-in methods, changed webhooks and support access. The caller revokes tokens and API keys. */
export async function removeAccessAddedSince(
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
  await revokeSupportAccessChangedSince(tx, userId, since);
  return { passkeys, identities, factors };
}

export function buildRemovedMethodParams(
  removedMethods: RemovedMethods,
  locale: Locale,
): { removed: "some" | "none"; ways: string } {
  const methodNames = formatMethodNames(removedMethods, locale);
  return { removed: methodNames ? "some" : "none", ways: methodNames };
}

function formatMethodNames({ passkeys, identities, factors }: RemovedMethods, locale: Locale): string {
  const names = [
    ...passkeys.map(({ deviceName }) =>
      formatText(locale, "responses.ways_in.passkey", { name: deviceName }),
    ),
    ...identities.map(({ provider }) => formatText(locale, `responses.ways_in.${provider}`)),
    ...factors.map(({ kind }) => formatText(locale, `responses.ways_in.${kind}`)),
  ];
  return formatList(locale, names);
}

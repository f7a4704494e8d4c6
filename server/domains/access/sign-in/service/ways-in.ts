import type { Locale } from "@/server/core/locale";
import { text } from "@/server/core/texts";
import { HOUR } from "@/server/core/time";
import { ADDITION_HOURS } from "@/server/domains/accounts/additions/contract";
import { endPermission } from "@/server/domains/accounts/users/service/personal-data";
import { forgetChanged } from "@/server/domains/accounts/webhooks/service/forget";
import type { Work } from "@/server/infrastructure/database/transaction";

/** Sign-in methods and second factors that an account had. */
export interface WaysIn {
  passkeys: Array<{ deviceName: string }>;
  identities: Array<{ provider: "google" | "apple" }>;
  factors: Array<{ kind: "totp" | "email" | "sms" }>;
}

/** Returns since when sign-in methods are in doubt after a change of address: an intruder may add one first. */
export function beforeChange(changedAt: Date): Date {
  return new Date(changedAt.getTime() - ADDITION_HOURS * HOUR);
}

/**
 * Removes the passkeys, connected identities and second factors that were added since a moment, with recovery codes when
 * no factor is left, and what lets others see the account: webhooks that are new or lead elsewhere since then, and the
 * permission to look at its panel. Tokens and keys are ended apart. Returns what was removed of the ways in.
 */
export async function endWaysIn(
  tx: Pick<Work, "db">,
  userId: number,
  { since }: { since: Date },
): Promise<WaysIn> {
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
  await forgetChanged(tx, userId, since);
  await endPermission(tx, userId, since);
  return { passkeys, identities, factors };
}

/** Parameters of a mail that names the removed sign-in methods, or says nothing of them. */
export function removedWays(removed: WaysIn, locale: Locale): { removed: "some" | "none"; ways: string } {
  const ways = nameWays(removed, locale);
  return { removed: ways ? "some" : "none", ways };
}

function nameWays({ passkeys, identities, factors }: WaysIn, locale: Locale): string {
  const names = [
    ...passkeys.map(({ deviceName }) => text(locale, "responses.ways_in.passkey", { name: deviceName })),
    ...identities.map(({ provider }) => text(locale, `responses.ways_in.${provider}`)),
    ...factors.map(({ kind }) => text(locale, `responses.ways_in.${kind}`)),
  ];
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(names);
}

import { env } from "@/server/core/env";
import { kept } from "@/server/core/kept";
import { DAY, fromNow } from "@/server/core/time";
import { lockAdministrators } from "@/server/domains/accounts/users/service/lock";
import { inTransaction, outside, type Work } from "@/server/infrastructure/database/transaction";
import { digest, isToken, newToken } from "@/server/infrastructure/secrets/tokens";

const TOKEN_LIFE = DAY;

/** Returns the set-up URL; undefined once there is an administrator. Invalidates earlier tokens. */
export async function openSetup(): Promise<string | undefined> {
  const token = newToken("dsf");
  const isOpened = await inTransaction(async (tx) => {
    await lockAdministrators(tx);
    if ((await tx.db.user.count({ where: { role: "admin" } })) > 0) {
      await closeSetup(tx);
      return false;
    }
    const data = { tokenHash: digest(token), tokenAt: new Date(), completedAt: null };
    await tx.db.setup.upsert({ where: { id: 1 }, create: data, update: data, select: { id: true } });
    return true;
  });
  return isOpened ? `${env().APP_URL}/setup?token=${token}` : undefined;
}

export async function closeSetup({ db }: Pick<Work, "db">): Promise<void> {
  await db.setup.updateMany({ where: { completedAt: null }, data: CLOSED() });
}

const CLOSED = () => ({ completedAt: new Date(), tokenHash: null });

const matchesToken = (token: string) => ({
  id: 1,
  completedAt: null,
  tokenHash: digest(token),
  tokenAt: { gt: fromNow(-TOKEN_LIFE) },
});

export async function isOpenTo({ db }: Pick<Work, "db">, token: string): Promise<boolean> {
  return isToken(token, "dsf") && (await db.setup.count({ where: matchesToken(token) })) === 1;
}

/** Uses up the token; only one of several concurrent calls succeeds. */
export async function takeToken({ db }: Pick<Work, "db">, token: string): Promise<boolean> {
  if (!isToken(token, "dsf")) return false;
  const { count } = await db.setup.updateMany({ where: matchesToken(token), data: CLOSED() });
  return count === 1;
}

const cache = kept(() => ({ completed: false }));

/** Whether the first administrator is missing. Cached once there is one: that never reverts. */
export async function isNeeded({ db }: Pick<Work, "db">): Promise<boolean> {
  if (cache().completed) return false;
  const row = await db.setup.findUnique({ where: { id: 1 }, select: { completedAt: true } });
  const completed = Boolean(row?.completedAt);
  cache().completed = completed;
  return row !== null && !completed;
}

export function waitsForSetup(): Promise<boolean> {
  return isNeeded(outside()).catch(() => false);
}

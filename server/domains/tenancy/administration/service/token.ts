import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { DAY, fromNow } from "@/server/core/time";
import { lockAdministrators } from "@/server/domains/accounts/users/service/lock";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
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

export async function closeSetup({ db }: Pick<DbAccess, "db">): Promise<void> {
  await db.setup.updateMany({ where: { completedAt: null }, data: CLOSED() });
}

const CLOSED = () => ({ completedAt: new Date(), tokenHash: null });

const matchesToken = (token: string) => ({
  id: 1,
  completedAt: null,
  tokenHash: digest(token),
  tokenAt: { gt: fromNow(-TOKEN_LIFE) },
});

export async function isSetupToken({ db }: Pick<DbAccess, "db">, token: string): Promise<boolean> {
  return isToken(token, "dsf") && (await db.setup.count({ where: matchesToken(token) })) === 1;
}

/** Uses up the token; only one of several concurrent calls succeeds. */
export async function takeToken({ db }: Pick<DbAccess, "db">, token: string): Promise<boolean> {
  if (!isToken(token, "dsf")) return false;
  const { count } = await db.setup.updateMany({ where: matchesToken(token), data: CLOSED() });
  return count === 1;
}

const cache = lazyValue(() => ({ completed: false }));

/** Whether the first administrator is missing. Cached once there is one: that never reverts. */
export async function isNeeded({ db }: Pick<DbAccess, "db">): Promise<boolean> {
  if (cache().completed) return false;
  const row = await db.setup.findUnique({ where: { id: 1 }, select: { completedAt: true } });
  const completed = Boolean(row?.completedAt);
  cache().completed = completed;
  return row !== null && !completed;
}

export function isSetupPending(): Promise<boolean> {
  return isNeeded(withoutTransaction()).catch(() => false);
}

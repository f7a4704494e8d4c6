import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { DAY, fromNow } from "@/server/core/time";
import { lockAdministrators } from "@/server/domains/accounts/users/service/lock";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { createToken, hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";

const SETUP_TOKEN_LIFETIME_MS = DAY;

/** Returns the set-up URL; undefined once there is an administrator. Invalidates earlier tokens. */
export async function issueSetupUrl(): Promise<string | undefined> {
  const token = createToken("dsf");
  const isSetupOpen = await inTransaction(async (tx) => {
    await lockAdministrators(tx);
    if ((await tx.db.user.count({ where: { role: "admin" } })) > 0) {
      await closeSetup(tx);
      return false;
    }
    const data = { tokenHash: hashSecret(token), tokenAt: new Date(), completedAt: null };
    await tx.db.setup.upsert({ where: { id: 1 }, create: data, update: data, select: { id: true } });
    return true;
  });
  return isSetupOpen ? `${env().APP_URL}/setup?token=${token}` : undefined;
}

export async function closeSetup({ db }: Pick<DbAccess, "db">): Promise<void> {
  await db.setup.updateMany({ where: { completedAt: null }, data: closedSetupData() });
}

const closedSetupData = () => ({ completedAt: new Date(), tokenHash: null });

const whereValidToken = (token: string) => ({
  id: 1,
  completedAt: null,
  tokenHash: hashSecret(token),
  tokenAt: { gt: fromNow(-SETUP_TOKEN_LIFETIME_MS) },
});

export async function isSetupToken({ db }: Pick<DbAccess, "db">, token: string): Promise<boolean> {
  return isWellFormedToken(token, "dsf") && (await db.setup.count({ where: whereValidToken(token) })) === 1;
}

/** Invalidates the token. Only one of several concurrent calls returns true. */
export async function consumeSetupToken({ db }: Pick<DbAccess, "db">, token: string): Promise<boolean> {
  if (!isWellFormedToken(token, "dsf")) return false;
  const { count } = await db.setup.updateMany({ where: whereValidToken(token), data: closedSetupData() });
  return count === 1;
}

const completionCache = lazyValue(() => ({ completed: false }));

/** True while set-up waits for the first administrator. Caches completion, which never reverts. */
export async function isSetupNeeded({ db }: Pick<DbAccess, "db">): Promise<boolean> {
  if (completionCache().completed) return false;
  const row = await db.setup.findUnique({ where: { id: 1 }, select: { completedAt: true } });
  const isCompleted = Boolean(row?.completedAt);
  completionCache().completed = isCompleted;
  return row !== null && !isCompleted;
}

/** Like `isSetupNeeded`, but false if the database fails. */
export function isSetupPending(): Promise<boolean> {
  return isSetupNeeded(withoutTransaction()).catch(() => false);
}

import { env } from "@/server/core/env";
import { kept } from "@/server/core/kept";
import { DAY, fromNow } from "@/server/core/time";
import { lockAdministrators } from "@/server/domains/accounts/users/service/lock";
import { inTransaction, outside, type Work } from "@/server/infrastructure/database/transaction";
import { digest, isToken, newToken } from "@/server/infrastructure/secrets/tokens";

/** How long the token of a start works. */
const TOKEN_LIFE = DAY;

/**
 * Where the first administrator sets the installation up; undefined when there is an administrator. Every start has a
 * token of its own, and only the newest works.
 */
export async function openSetup(): Promise<string | undefined> {
  const token = newToken("dsf");
  const opened = await inTransaction(async (tx) => {
    await lockAdministrators(tx);
    if ((await tx.db.user.count({ where: { role: "admin" } })) > 0) {
      await closeSetup(tx);
      return false;
    }
    const data = { tokenHash: digest(token), tokenAt: new Date(), completedAt: null };
    await tx.db.setup.upsert({ where: { id: 1 }, create: data, update: data, select: { id: true } });
    return true;
  });
  return opened ? `${env().APP_URL}/setup?token=${token}` : undefined;
}

/** Ends the set-up because somebody is an administrator now. Call it in the transaction that appoints. */
export async function closeSetup({ db }: Pick<Work, "db">): Promise<void> {
  await db.setup.updateMany({ where: { completedAt: null }, data: CLOSED() });
}

const CLOSED = () => ({ completedAt: new Date(), tokenHash: null });

/** The row that this token opens; none for another one, an old one, or a used one. */
const openedBy = (token: string) => ({
  id: 1,
  completedAt: null,
  tokenHash: digest(token),
  tokenAt: { gt: fromNow(-TOKEN_LIFE) },
});

/** Whether a token opens the set-up now. */
export async function isOpenTo({ db }: Pick<Work, "db">, token: string): Promise<boolean> {
  return isToken(token, "dsf") && (await db.setup.count({ where: openedBy(token) })) === 1;
}

/** Uses the token up; of several at once, one does. */
export async function takeToken({ db }: Pick<Work, "db">, token: string): Promise<boolean> {
  if (!isToken(token, "dsf")) return false;
  const { count } = await db.setup.updateMany({ where: openedBy(token), data: CLOSED() });
  return count === 1;
}

const known = kept(() => ({ completed: false }));

/** Whether nobody is an administrator yet, so that the newest token works. Once somebody is, it stays so. */
export async function isNeeded({ db }: Pick<Work, "db">): Promise<boolean> {
  if (known().completed) return false;
  const row = await db.setup.findUnique({ where: { id: 1 }, select: { completedAt: true } });
  const completed = Boolean(row?.completedAt);
  known().completed = completed;
  return row !== null && !completed;
}

/** The same for pages, which go on without an answer while the database is away. */
export function waitsForSetup(): Promise<boolean> {
  return isNeeded(outside()).catch(() => false);
}

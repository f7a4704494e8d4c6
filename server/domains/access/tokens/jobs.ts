import { deviceOf } from "@/server/core/device";
import { FALLBACK_LOCALE } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { inTransaction, outside, type Work } from "@/server/infrastructure/database/transaction";

const SIGN_IN = {
  userId: true,
  ip: true,
  userAgent: true,
  createdAt: true,
} as const satisfies Prisma.AccessTokenSelect;
type SignIn = Prisma.AccessTokenGetPayload<{ select: typeof SIGN_IN }>;

/** As many earlier sign-ins as a device is looked for in. */
const LOOK_BACK = 200;

/**
 * Tells the owner of a sign-in from a kind of device that the account was never used from before. The first
 * sign-in ever is no news.
 */
export async function noticeSignInJob({ tokenId }: { tokenId: number }): Promise<void> {
  await inTransaction(async (tx) => {
    const signIn = await tx.db.accessToken.findUnique({ where: { id: tokenId }, select: SIGN_IN });
    if (!signIn || !(await isNews(tx, signIn))) return;
    const { browser = "?", system } = deviceOf(signIn.userAgent);
    const device = system ? `${browser}, ${system}` : browser;
    await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, signIn.userId, "new_sign_in", {
      params: { device, ip: signIn.ip ?? "?", time: signIn.createdAt },
    });
  });
}

async function isNews({ db }: Pick<Work, "db">, { userId, userAgent, createdAt }: SignIn): Promise<boolean> {
  const earlier = await db.auditEvent.findMany({
    where: {
      actorId: userId,
      action: { in: ["sign_in.succeeded", "account.registered"] },
      at: { lt: createdAt },
    },
    orderBy: { id: "desc" },
    take: LOOK_BACK,
    select: { userAgent: true },
  });
  const device = nameOf(userAgent);
  return earlier.length > 0 && earlier.every((each) => nameOf(each.userAgent) !== device);
}

function nameOf(userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent);
  return `${browser}|${system}`;
}

/** Days before its end that a key's owner is told. */
const NOTICE_DAYS = 7;

/** Tells owners of API keys that end within a week, once for each key. */
export async function remindOfKeysJob(): Promise<void> {
  await inTransaction(async (tx) => {
    const keys = await tx.db.accessToken.updateManyAndReturn({
      where: {
        kind: "api_key",
        remindedAt: null,
        expiresAt: { gt: new Date(), lt: fromNow(NOTICE_DAYS * DAY) },
        createdAt: { lt: fromNow(-DAY) },
      },
      data: { remindedAt: new Date() },
      select: { userId: true, name: true, expiresAt: true },
    });
    for (const key of keys) {
      await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, key.userId, "key_ends_soon", {
        path: "/developers/keys",
        params: { key: key.name, time: key.expiresAt },
      });
    }
  });
}

/** Forgets tokens that ended a day ago. */
export async function forgetTokensJob(): Promise<void> {
  await outside().db.accessToken.deleteMany({ where: { expiresAt: { lt: fromNow(-DAY) } } });
}

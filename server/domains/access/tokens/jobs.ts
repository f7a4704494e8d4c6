import { parseUserAgent, toDeviceKey } from "@/server/core/device";
import { FALLBACK_LOCALE } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { forEachAccount } from "@/server/domains/accounts/users/service/for-each-account";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { ACTIVITY_RETENTION_DAYS } from "./policy";
import { findSignIn, storeActivitySample } from "./statements";

/** Compares with the last 200 sign-ins; the sign-in itself compared with only 20 (`queueDeviceNotice`). */
export async function mailDeviceNoticeJob({ tokenId }: { tokenId: number }): Promise<void> {
  const [signIn] = await findSignIn(withoutTransaction(), { tokenId });
  if (!signIn || !isNewDevice(signIn)) return;
  const { userId, ip, userAgent, createdAt: time } = signIn;
  const { browser = "?", system } = parseUserAgent(userAgent);
  const device = system ? `${browser}, ${system}` : browser;
  await inTransaction((tx) =>
    notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, userId, "new_sign_in", {
      params: { device, ip: ip ?? "?", time },
    }),
  );
}

function isNewDevice({
  userAgent,
  earlierUserAgents,
}: {
  userAgent: string | null;
  earlierUserAgents: Array<string | null>;
}): boolean {
  const device = toDeviceKey(userAgent);
  return (
    earlierUserAgents.length > 0 &&
    earlierUserAgents.every((earlierUserAgent) => toDeviceKey(earlierUserAgent) !== device)
  );
}

const EXPIRY_NOTICE_DAYS = 7;

/** Mails the owner once per key, a week before it expires. Skips keys created in the last day. */
export async function remindOfExpiringKeysJob(): Promise<void> {
  const whereExpiring = {
    kind: "api_key",
    remindedAt: null,
    expiresAt: { gt: new Date(), lt: fromNow(EXPIRY_NOTICE_DAYS * DAY) },
    createdAt: { lt: fromNow(-DAY) },
  } as const;
  const owners = await withoutTransaction().db.accessToken.findMany({
    where: whereExpiring,
    distinct: "userId",
    select: { userId: true },
  });
  await forEachAccount(
    owners.map(({ userId }) => userId),
    async (tx, userId) => {
      const keys = await tx.db.accessToken.updateManyAndReturn({
        where: { ...whereExpiring, userId },
        data: { remindedAt: new Date() },
        select: { name: true, expiresAt: true },
      });
      for (const key of keys)
        await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, userId, "key_ends_soon", {
          path: "/developers/keys",
          params: { key: key.name, time: key.expiresAt },
        });
    },
  );
}

export async function deleteExpiredTokensJob(): Promise<void> {
  await withoutTransaction().db.accessToken.deleteMany({ where: { expiresAt: { lt: fromNow(-DAY) } } });
}

/** A missed hour stays empty: `last_used_at` has only the latest use. */
export async function sampleActivityJob(): Promise<void> {
  const access = withoutTransaction();
  await storeActivitySample(access);
  await access.db.activitySample.deleteMany({
    where: { at: { lt: fromNow(-ACTIVITY_RETENTION_DAYS * DAY) } },
  });
}

import { deviceName, deviceOf } from "@/server/core/device";
import { FALLBACK_LOCALE } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { forEachAccount } from "@/server/domains/accounts/users/service/for-each-account";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { findSignIn } from "./statements";

/** Not for the first sign-in of an account. */
export async function noticeSignInJob({ tokenId }: { tokenId: number }): Promise<void> {
  const [signIn] = await findSignIn(withoutTransaction(), { tokenId });
  if (!signIn || !isNewDevice(signIn)) return;
  const { userId, ip, userAgent, createdAt: time } = signIn;
  const { browser = "?", system } = deviceOf(userAgent);
  const device = system ? `${browser}, ${system}` : browser;
  await inTransaction((tx) =>
    notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, userId, "new_sign_in", {
      params: { device, ip: ip ?? "?", time },
    }),
  );
}

function isNewDevice({
  userAgent,
  earlier,
}: {
  userAgent: string | null;
  earlier: Array<string | null>;
}): boolean {
  const device = deviceName(userAgent);
  return earlier.length > 0 && earlier.every((each) => deviceName(each) !== device);
}

const NOTICE_DAYS = 7;

export async function remindOfKeysJob(): Promise<void> {
  const due = {
    kind: "api_key",
    remindedAt: null,
    expiresAt: { gt: new Date(), lt: fromNow(NOTICE_DAYS * DAY) },
    createdAt: { lt: fromNow(-DAY) },
  } as const;
  const owners = await withoutTransaction().db.accessToken.findMany({
    where: due,
    distinct: "userId",
    select: { userId: true },
  });
  await forEachAccount(
    owners.map(({ userId }) => userId),
    async (tx, userId) => {
      const keys = await tx.db.accessToken.updateManyAndReturn({
        where: { ...due, userId },
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

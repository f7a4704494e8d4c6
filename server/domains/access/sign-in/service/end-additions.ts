import type { Context } from "@/server/core/context";
import { fromNow, HOUR } from "@/server/core/time";
import { SUSPECT_ADDITION_HOURS } from "@/server/domains/accounts/additions/contract";
import {
  findSelectableAdditions,
  formatAdditions,
  revokeAdditions,
} from "@/server/domains/accounts/additions/service";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";

type EndCause = "reset" | "undo" | "report";

/** Mails the owner a list with a review link, unless it is empty. The caller must have locked the account. */
export async function endRecentAdditions(
  tx: Context,
  userId: number,
  { since, cause }: { since: Date; cause: EndCause },
): Promise<{ endedCount: number; isMailed: boolean }> {
  const endedAdditions = await revokeAdditions(tx, userId, since);
  const optionalAdditions = await findSelectableAdditions(tx, userId, since);
  if (endedAdditions.length + optionalAdditions.length === 0) return { endedCount: 0, isMailed: false };
  const path =
    optionalAdditions.length > 0 ? await createReviewPath(tx, userId, since) : "/settings/security";
  await notifyOwner(tx, userId, "additions_ended", {
    path,
    params: (reader) => ({
      cause,
      ended_count: endedAdditions.length,
      ended: formatAdditions(endedAdditions, reader),
      choices_count: optionalAdditions.length,
      choices: formatAdditions(optionalAdditions, reader),
    }),
  });
  return { endedCount: endedAdditions.length, isMailed: true };
}

async function createReviewPath({ db }: Pick<DbAccess, "db">, userId: number, since: Date): Promise<string> {
  const token = createToken("dsm");
  const reviewLink = {
    tokenHash: hashSecret(token),
    since,
    createdAt: new Date(),
    expiresAt: fromNow(SUSPECT_ADDITION_HOURS * HOUR),
  };
  await db.additionReview.upsert({
    where: { userId },
    create: { userId, ...reviewLink },
    update: reviewLink,
    select: { userId: true },
  });
  return `/review-additions?token=${token}`;
}

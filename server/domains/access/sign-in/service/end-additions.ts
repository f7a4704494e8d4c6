import type { Context } from "@/server/core/context";
import { fromNow, HOUR } from "@/server/core/time";
import { ADDITION_HOURS } from "@/server/domains/accounts/additions/contract";
import {
  findOptionalAdditions,
  nameAdditions,
  revokeAdditions,
} from "@/server/domains/accounts/additions/service";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";

type Cause = "reset" | "undo" | "report";

/**
 * Ends additions since a time and mails the owner a list, with a link to decide about new members. The
 * account must be locked. `mailed` is false when there was nothing to report.
 */
export async function endRecentAdditions(
  tx: Context,
  userId: number,
  { since, cause }: { since: Date; cause: Cause },
): Promise<{ ended: number; mailed: boolean }> {
  const ended = await revokeAdditions(tx, userId, since);
  const choices = await findOptionalAdditions(tx, userId, since);
  if (ended.length + choices.length === 0) return { ended: 0, mailed: false };
  const path = choices.length > 0 ? await newReviewPath(tx, userId, since) : "/settings/security";
  await notifyOwner(tx, userId, "additions_ended", {
    path,
    params: (reader) => ({
      cause,
      ended_count: ended.length,
      ended: nameAdditions(ended, reader),
      choices_count: choices.length,
      choices: nameAdditions(choices, reader),
    }),
  });
  return { ended: ended.length, mailed: true };
}

async function newReviewPath({ db }: Pick<DbAccess, "db">, userId: number, since: Date): Promise<string> {
  const token = newToken("dsm");
  const link = {
    tokenHash: digest(token),
    since,
    createdAt: new Date(),
    expiresAt: fromNow(ADDITION_HOURS * HOUR),
  };
  await db.additionReview.upsert({
    where: { userId },
    create: { userId, ...link },
    update: link,
    select: { userId: true },
  });
  return `/review-additions?token=${token}`;
}

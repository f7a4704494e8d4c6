import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import {
  findSelectableAdditions,
  getSuspectAdditionStart,
  revokeSelectedAdditions,
} from "@/server/domains/accounts/additions/service";
import { lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import {
  type DbAccess,
  withoutTransaction,
  withTransaction,
} from "@/server/infrastructure/database/transaction";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import type { reportIntrusion, reviewAdditions } from "../contract";
import { endRecentAdditions } from "./end-additions";

export async function handleIntrusionReport(
  ctx: Context<UserActor>,
): Promise<Output<typeof reportIntrusion>> {
  const { endedCount } = await withLockedOwnAccount(ctx, (tx) =>
    endRecentAdditions(tx, tx.actor.id, { since: getSuspectAdditionStart(), cause: "report" }),
  );
  return {
    success: true,
    message: formatText(ctx.locale, "responses.additions_ended", { count: endedCount }),
    ended: endedCount,
  };
}

export interface ReviewedMember {
  id: number;
  name: string;
  joinedAt: string;
}

/** Undefined for an invalid link; does not use it up. */
export async function findReviewedMembers(token: string): Promise<ReviewedMember[] | undefined> {
  const access = withoutTransaction();
  const review = await findReview(access, token);
  if (!review) return undefined;
  const optionalAdditions = await findSelectableAdditions(access, review.userId, review.since);
  return optionalAdditions.map(({ id, name, at }) => ({ id, name, joinedAt: at.toISOString() }));
}

/** The deletion of the link lets one of several concurrent requests succeed. */
export async function handleAdditionReview(
  ctx: Context,
  { body }: Input<typeof reviewAdditions>,
): Promise<Output<typeof reviewAdditions>> {
  const link = await findReview(ctx, body.token);
  if (!link) throw createError("review_invalid");
  const { userId, since } = link;
  const endedCount = await withTransaction(ctx, async (tx) => {
    // Lock order: accounts by id, the owner's among them.
    const requestedIds = new Set(body.ids);
    const optionalAdditions = await findSelectableAdditions(tx, userId, since);
    const selectedIds = optionalAdditions.map(({ id }) => id).filter((id) => requestedIds.has(id));
    for (const id of [...selectedIds, userId].sort((a, b) => a - b))
      if (!(await lockUserIfExists(tx, id)) && id === userId) throw createError("review_invalid");
    const where = { userId, tokenHash: hashSecret(body.token), expiresAt: { gt: new Date() } };
    const { count } = await tx.db.additionReview.deleteMany({ where });
    if (count === 0) throw createError("review_invalid");
    // Read again, now that the accounts are locked.
    const selectedAdditions = (await findSelectableAdditions(tx, userId, since)).filter(({ id }) =>
      selectedIds.includes(id),
    );
    await revokeSelectedAdditions(tx, userId, selectedAdditions);
    return selectedAdditions.length;
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.additions_reviewed", { count: endedCount }),
    ended: endedCount,
  };
}

async function findReview({ db }: Pick<DbAccess, "db">, token: string) {
  if (!isWellFormedToken(token, "dsm")) return null;
  return db.additionReview.findFirst({
    where: { tokenHash: hashSecret(token), expiresAt: { gt: new Date() } },
    select: { userId: true, since: true },
  });
}

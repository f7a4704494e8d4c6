import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import {
  findOptionalAdditions,
  getSuspectStart,
  revokeSelectedAdditions,
} from "@/server/domains/accounts/additions/service";
import { lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import {
  type DbAccess,
  withoutTransaction,
  withTransaction,
} from "@/server/infrastructure/database/transaction";
import { hashSecret, isToken } from "@/server/infrastructure/secrets/tokens";
import type { reportIntrusion, reviewAdditions } from "../contract";
import { endRecentAdditions } from "./end-additions";

export async function handleIntrusionReport(
  ctx: Context<UserActor>,
): Promise<Output<typeof reportIntrusion>> {
  const { ended } = await withLockedOwnAccount(ctx, (tx) =>
    endRecentAdditions(tx, tx.actor.id, { since: getSuspectStart(), cause: "report" }),
  );
  return {
    success: true,
    message: formatText(ctx.locale, "responses.additions_ended", { count: ended }),
    ended,
  };
}

export interface ReviewedMember {
  id: number;
  name: string;
  at: string;
}

/** Undefined for an invalid link; does not use it up. */
export async function findReviewedMembers(token: string): Promise<ReviewedMember[] | undefined> {
  const access = withoutTransaction();
  const review = await findReview(access, token);
  if (!review) return undefined;
  const optionalAdditions = await findOptionalAdditions(access, review.userId, review.since);
  return optionalAdditions.map(({ id, name, at }) => ({ id, name, at: at.toISOString() }));
}

/** The deletion of the link lets one of several concurrent requests succeed. */
export async function handleAdditionReview(
  ctx: Context,
  { body }: Input<typeof reviewAdditions>,
): Promise<Output<typeof reviewAdditions>> {
  const link = await findReview(ctx, body.token);
  if (!link) throw createError("review_invalid");
  const { userId, since } = link;
  const ended = await withTransaction(ctx, async (tx) => {
    // Lock order: accounts by id, the owner's among them.
    const requested = new Set(body.ids);
    const optionalAdditions = await findOptionalAdditions(tx, userId, since);
    const ids = optionalAdditions.map(({ id }) => id).filter((id) => requested.has(id));
    for (const id of [...ids, userId].sort((a, b) => a - b))
      if (!(await lockUserIfExists(tx, id)) && id === userId) throw createError("review_invalid");
    const where = { userId, tokenHash: hashSecret(body.token), expiresAt: { gt: new Date() } };
    const { count } = await tx.db.additionReview.deleteMany({ where });
    if (count === 0) throw createError("review_invalid");
    // Read again, now that the accounts are locked.
    const selectedAdditions = (await findOptionalAdditions(tx, userId, since)).filter(({ id }) =>
      ids.includes(id),
    );
    await revokeSelectedAdditions(tx, userId, selectedAdditions);
    return selectedAdditions.length;
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.additions_reviewed", { count: ended }),
    ended,
  };
}

async function findReview({ db }: Pick<DbAccess, "db">, token: string) {
  if (!isToken(token, "dsm")) return null;
  return db.additionReview.findFirst({
    where: { tokenHash: hashSecret(token), expiresAt: { gt: new Date() } },
    select: { userId: true, since: true },
  });
}

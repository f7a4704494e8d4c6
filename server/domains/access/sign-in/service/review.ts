import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import {
  findOptionalAdditions,
  revokeSelected,
  suspectSince,
} from "@/server/domains/accounts/additions/service";
import { lockUserIfAny } from "@/server/domains/accounts/users/service/lock";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import {
  type DbAccess,
  withoutTransaction,
  withTransaction,
} from "@/server/infrastructure/database/transaction";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";
import type { reportIntrusion, reviewAdditions } from "../contract";
import { endRecentAdditions } from "./end-additions";

export async function report(ctx: Context<UserActor>): Promise<Output<typeof reportIntrusion>> {
  const { ended } = await withOwnAccount(ctx, (tx) =>
    endRecentAdditions(tx, tx.actor.id, { since: suspectSince(), cause: "report" }),
  );
  return { success: true, message: text(ctx.locale, "responses.additions_ended", { count: ended }), ended };
}

export interface ReviewedMember {
  id: number;
  name: string;
  at: string;
}

/** Undefined for an invalid link; does not use it up. */
export async function findReviewedMembers(token: string): Promise<ReviewedMember[] | undefined> {
  const work = withoutTransaction();
  const review = await findReview(work, token);
  if (!review) return undefined;
  const choices = await findOptionalAdditions(work, review.userId, review.since);
  return choices.map(({ id, name, at }) => ({ id, name, at: at.toISOString() }));
}

/** Deleting the link lets one of several concurrent requests through. */
export async function review(
  ctx: Context,
  { body }: Input<typeof reviewAdditions>,
): Promise<Output<typeof reviewAdditions>> {
  const link = await findReview(ctx, body.token);
  if (!link) throw refuse("review_invalid");
  const { userId, since } = link;
  const ended = await withTransaction(ctx, async (tx) => {
    // Lock order: accounts by id, the owner's among them.
    const requested = new Set(body.ids);
    const before = await findOptionalAdditions(tx, userId, since);
    const ids = before.map(({ id }) => id).filter((id) => requested.has(id));
    for (const id of [...ids, userId].sort((a, b) => a - b))
      if (!(await lockUserIfAny(tx, id)) && id === userId) throw refuse("review_invalid");
    const where = { userId, tokenHash: digest(body.token), expiresAt: { gt: new Date() } };
    const { count } = await tx.db.additionReview.deleteMany({ where });
    if (count === 0) throw refuse("review_invalid");
    const chosen = (await findOptionalAdditions(tx, userId, since)).filter(({ id }) => ids.includes(id));
    await revokeSelected(tx, userId, chosen);
    return chosen.length;
  });
  return {
    success: true,
    message: text(ctx.locale, "responses.additions_reviewed", { count: ended }),
    ended,
  };
}

async function findReview({ db }: Pick<DbAccess, "db">, token: string) {
  if (!isToken(token, "dsm")) return null;
  return db.additionReview.findFirst({
    where: { tokenHash: digest(token), expiresAt: { gt: new Date() } },
    select: { userId: true, since: true },
  });
}

import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { maskEmail } from "@/server/core/mask";
import { formatText } from "@/server/core/texts";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { findReservedAddress } from "@/server/domains/access/verification/service/reserved-address";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { consumePointOrThrow, type RateLimitCounter } from "@/server/infrastructure/rate-limit/limiter";
import { createSixDigitCode, hashCode } from "@/server/infrastructure/secrets/tokens";
import { DELETION_CODE_VALID_MINUTES, type requestDeletion } from "../contract";
import { shareLockAccountRow } from "../statements";
import { forecastDeletion, requireNonAgent } from "./forecast";

/** Limits mails to an unverified address, which may be a stranger's. */
const UNVERIFIED_ADDRESS_LIMIT: RateLimitCounter = {
  name: "deletion_code_to",
  points: 3,
  per: 86_400,
  durable: true,
};

/** Mails a code. While an address change can be undone, it goes to the former address. */
export async function requestOwnDeletion(ctx: Context<UserActor>): Promise<Output<typeof requestDeletion>> {
  requireNonAgent(ctx.actor);
  const userId = ctx.actor.id;
  await limitUnverifiedAddress(ctx);
  const code = createSixDigitCode();
  return withTransaction(ctx, async (tx) => {
    const { topics: _topics, ...forecast } = await forecastDeletion(tx, userId);
    const [user] = await shareLockAccountRow(tx, { userId });
    if (!user) throw createError("unauthenticated");
    const email = (await findReservedAddress(tx, userId)) ?? user.email;
    const requestFields = {
      codeHash: digestDeletionCode(code, userId),
      attempts: 0,
      createdAt: new Date(),
      expiresAt: fromNow(DELETION_CODE_VALID_MINUTES * MINUTE),
    };
    await tx.db.deletionRequest.upsert({
      where: { userId },
      create: { userId, ...requestFields },
      update: requestFields,
      select: { userId: true },
    });
    await audit(tx, { action: "account.deletion_requested", object: { type: "User", id: userId } });
    await mailUser(
      tx,
      { ...user, email, id: userId },
      {
        template: "deletion_code",
        params: { minutes: DELETION_CODE_VALID_MINUTES, mode: forecast.mode },
        code,
      },
    );
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.deletion_code_sent"),
      masked_email: maskEmail(email),
      expires_in: (DELETION_CODE_VALID_MINUTES * MINUTE) / SECOND,
      ...forecast,
    };
  });
}

/** Runs outside the transaction: waiting for the counter must not hold a connection. */
async function limitUnverifiedAddress({ db, actor }: Context<UserActor>): Promise<void> {
  if (actor.emailVerified) return;
  const user = await db.user.findUnique({ where: { id: actor.id }, select: { emailKey: true } });
  if (user) await consumePointOrThrow(UNVERIFIED_ADDRESS_LIMIT, user.emailKey);
}

export function digestDeletionCode(code: string, userId: number): Buffer<ArrayBuffer> {
  return hashCode(code, `deletion:${userId}`);
}

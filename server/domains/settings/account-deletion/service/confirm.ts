import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { secondsUntil } from "@/server/core/time";
import {
  JOB_STATEMENT_TIMEOUT_MS,
  withStatementTimeout,
} from "@/server/infrastructure/database/statement-timeout";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { areBytesEqual } from "@/server/infrastructure/secrets/tokens";
import { type confirmDeletion, DELETION_CODE_ATTEMPTS_MAX } from "../contract";
import { eraseAccount } from "./erase";
import { isRecentSignIn, requireNonAgent } from "./forecast";
import { digestDeletionCode } from "./request";
import { isDeletionWord } from "./words";

type ConfirmOutput = Output<typeof confirmDeletion>;

/** Counts an attempt before it checks the code, and consumes the code in the transaction of the erasure. */
export async function confirmOwnDeletion(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmDeletion>,
): Promise<ConfirmOutput> {
  requireNonAgent(ctx.actor);
  const { code } = body;
  if (code) await requireCorrectCode(ctx, code);
  else requireDeletionWord(ctx.actor, body.confirmation ?? "");
  // A large account exceeds the usual timeout of a request.
  const { mode, certificate, pendingTaskCount } = await withStatementTimeout(JOB_STATEMENT_TIMEOUT_MS, () =>
    withTransaction(ctx, (tx) =>
      eraseAccount(tx, {
        userId: ctx.actor.id,
        codeHash: code ? digestDeletionCode(code, ctx.actor.id) : null,
      }),
    ),
  );
  return {
    success: true,
    message: formatText(ctx.locale, `responses.account_${mode}`),
    mode,
    channels: { cleaned: 0, pending: pendingTaskCount },
    certificate_id: certificate.id,
    certificate_code: certificate.code,
  };
}

async function requireCorrectCode({ db, actor }: Context<UserActor>, code: string): Promise<void> {
  const activeRequestFilter = { userId: actor.id, expiresAt: { gt: new Date() } };
  const [countedRequest] = await db.deletionRequest.updateManyAndReturn({
    where: { ...activeRequestFilter, attempts: { lt: DELETION_CODE_ATTEMPTS_MAX } },
    data: { attempts: { increment: 1 } },
    select: { codeHash: true },
  });
  if (countedRequest && areBytesEqual(countedRequest.codeHash, digestDeletionCode(code, actor.id))) return;
  const blockedRequest = await db.deletionRequest.findFirst({
    where: { ...activeRequestFilter, attempts: { gte: DELETION_CODE_ATTEMPTS_MAX } },
    select: { expiresAt: true },
  });
  if (blockedRequest && !countedRequest)
    throw createError("too_many_requests", {
      retryAfter: secondsUntil(blockedRequest.expiresAt),
      limit: DELETION_CODE_ATTEMPTS_MAX,
    });
  throw createError("code_wrong");
}

function requireDeletionWord(actor: UserActor, word: string): void {
  if (!isDeletionWord(word)) throw createError("deletion_word_wrong");
  if (!isRecentSignIn(actor)) throw createError("deletion_needs_code");
}

import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { secondsUntil } from "@/server/core/time";
import {
  JOB_STATEMENT_TIMEOUT,
  withStatementTimeout,
} from "@/server/infrastructure/database/statement-timeout";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { sameBytes } from "@/server/infrastructure/secrets/tokens";
import { CODE_TRIES, type confirmDeletion } from "../contract";
import { eraseAccount } from "./erase";
import { isFresh, requireOwnAccount } from "./forecast";
import { deletionDigest } from "./request";
import { isDeletionWord } from "./words";

type Deleted = Output<typeof confirmDeletion>;

/** Counts an attempt before it checks the code, and consumes the code in the transaction of the erasure. */
export async function confirm(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmDeletion>,
): Promise<Deleted> {
  requireOwnAccount(ctx.actor);
  const { code } = body;
  if (code) await countAttempt(ctx, code);
  else requireWord(ctx.actor, body.confirmation ?? "");
  // A large account exceeds the usual timeout of a request.
  const { mode, certificate, pending } = await withStatementTimeout(JOB_STATEMENT_TIMEOUT, () =>
    withTransaction(ctx, (tx) =>
      eraseAccount(tx, { userId: ctx.actor.id, codeHash: code ? deletionDigest(code, ctx.actor.id) : null }),
    ),
  );
  return {
    success: true,
    message: text(ctx.locale, `responses.account_${mode}`),
    mode,
    channels: { cleaned: 0, pending },
    certificate_id: certificate.id,
    certificate_code: certificate.code,
  };
}

/** Throws `code_wrong`, and `too_many_requests` after five attempts at one code. */
async function countAttempt({ db, actor }: Context<UserActor>, code: string): Promise<void> {
  const activeRequest = { userId: actor.id, expiresAt: { gt: new Date() } };
  const [tried] = await db.deletionRequest.updateManyAndReturn({
    where: { ...activeRequest, attempts: { lt: CODE_TRIES } },
    data: { attempts: { increment: 1 } },
    select: { codeHash: true },
  });
  if (tried && sameBytes(tried.codeHash, deletionDigest(code, actor.id))) return;
  const blocked = await db.deletionRequest.findFirst({
    where: { ...activeRequest, attempts: { gte: CODE_TRIES } },
    select: { expiresAt: true },
  });
  if (blocked && !tried)
    throw refuse("too_many_requests", { retryAfter: secondsUntil(blocked.expiresAt), limit: CODE_TRIES });
  throw refuse("code_wrong");
}

function requireWord(actor: UserActor, word: string): void {
  if (!isDeletionWord(word)) throw refuse("deletion_word_wrong");
  if (!isFresh(actor)) throw refuse("deletion_needs_code");
}

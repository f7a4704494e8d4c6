import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { sameBytes } from "@/server/infrastructure/secrets/tokens";
import { CODE_TRIES, type confirmDeletion } from "../contract";
import { erase } from "./erase";
import { isFresh, requireOwnAccount } from "./forecast";
import { deletionDigest } from "./request";
import { isDeletionWord } from "./words";

type Deleted = Answer<typeof confirmDeletion>;

/**
 * Ends the caller's account. A code is counted before it is looked at and spent in the transaction of the erasure;
 * the typed word needs a sign-in of the last hour.
 */
export async function confirm(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmDeletion>,
): Promise<Deleted> {
  requireOwnAccount(ctx.actor);
  const code = body.code?.normalize("NFKC");
  if (code) await countTry(ctx, code);
  else requireWord(ctx.actor, body.confirmation ?? "");
  const { mode, certificate, pending } = await withTransaction(ctx, (tx) =>
    erase(tx, { userId: ctx.actor.id, codeHash: code ? deletionDigest(code, ctx.actor.id) : null }),
  );
  return {
    success: true,
    message: text(ctx.locale, `answers.account_${mode}`),
    mode,
    channels: { cleaned: 0, pending },
    certificate_id: certificate.id,
    certificate_code: certificate.code,
  };
}

/** Throws `code_wrong`, and `too_many_requests` once five tries of a code are used up. */
async function countTry({ sql, actor }: Context<UserActor>, code: string): Promise<void> {
  const [tried] = await sql<{ code_hash: Buffer }>`
    update deletion_requests set attempts = attempts + 1
     where user_id = ${actor.id} and expires_at > now() and attempts < ${CODE_TRIES} returning code_hash`;
  if (tried && sameBytes(tried.code_hash, deletionDigest(code, actor.id))) return;
  const [dead] = await sql<{ ends_in: number }>`
    select extract(epoch from expires_at - now())::int as ends_in from deletion_requests
     where user_id = ${actor.id} and expires_at > now() and attempts >= ${CODE_TRIES}`;
  if (dead && !tried)
    throw refuse("too_many_requests", { retryAfter: Math.max(1, dead.ends_in), limit: CODE_TRIES });
  throw refuse("code_wrong");
}

function requireWord(actor: UserActor, word: string): void {
  if (!isDeletionWord(word)) throw refuse("deletion_word_wrong");
  if (!isFresh(actor)) throw refuse("deletion_needs_code");
}

import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { formatText } from "@/server/core/texts";
import { fromNow, SECOND } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { DELETION_UNDO_SECONDS } from "@/server/domains/sites/media/contract";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { deleteSnippet, restoreSnippet } from "../contract";
import { SNIPPET_SELECT, toSnippet } from "../dto";
import { lockEditableSnippet } from "./write";

export async function removeSnippet(
  ctx: Context<UserActor>,
  { params: { id }, query: { undo } }: Input<typeof deleteSnippet>,
): Promise<Output<typeof deleteSnippet>> {
  await withTransaction(ctx, async (tx) => {
    await lockEditableSnippet(tx, id);
    await audit(tx, { action: "snippet.deleted", object: { type: "Snippet", id } });
    if (!undo) return tx.db.snippet.delete({ where: { id }, select: { id: true } });
    const removingAt = fromNow(DELETION_UNDO_SECONDS * SECOND);
    await addJob(tx, "finish_snippet_removal", { id }, { runAt: removingAt });
    return tx.db.snippet.update({ where: { id }, data: { removingAt }, select: { id: true } });
  });
  return { success: true, message: formatText(ctx.locale, "responses.snippet_deleted") };
}

export async function restoreRemovedSnippet(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof restoreSnippet>,
): Promise<Output<typeof restoreSnippet>> {
  const row = await withTransaction(ctx, async (tx) => {
    const { removingAt } = await lockEditableSnippet(tx, id, { includesRemoved: true });
    if (removingAt) await audit(tx, { action: "snippet.restored", object: { type: "Snippet", id } });
    return tx.db.snippet.update({ where: { id }, data: { removingAt: null }, ...SNIPPET_SELECT });
  });
  const message = formatText(ctx.locale, "responses.snippet_restored");
  return { success: true, message, snippet: toSnippet(row, ctx.actor) };
}

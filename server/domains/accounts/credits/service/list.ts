import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { csvFile, inBatches } from "@/server/core/csv";
import { refuse } from "@/server/core/errors";
import { orderOf, pageOf } from "@/server/core/list";
import type { downloadCredits, listCredits, listUserCredits } from "../contract";
import { ENTRY, entryOf } from "../dto";

type Query = Input<typeof downloadCredits>["query"];

const matching = (userId: number, { reason }: Query) => ({ userId, ...(reason != null && { reason }) });
const orderBy = ({ sort }: Query) => ({ id: orderOf(sort ?? "-created_at").direction });

export function list(
  ctx: Context<UserActor>,
  { query }: Input<typeof listCredits>,
): Promise<Output<typeof listCredits>> {
  return ledgerOf(ctx, ctx.actor.id, query);
}

export function listForAccount(
  ctx: Context<UserActor>,
  { params, query }: Input<typeof listUserCredits>,
): Promise<Output<typeof listUserCredits>> {
  requireAdministrator(ctx.actor);
  return ledgerOf(ctx, params.id, query);
}

async function ledgerOf(
  { db }: Context,
  userId: number,
  query: Input<typeof listCredits>["query"],
): Promise<Output<typeof listCredits>> {
  const where = matching(userId, query);
  const { rows, ...page } = pageOf(query);
  const [user, total, entries] = await Promise.all([
    db.user.findUnique({ where: { id: userId }, select: { credits: true } }),
    db.creditEntry.count({ where }),
    db.creditEntry.findMany({ where, ...rows, orderBy: orderBy(query), select: ENTRY }),
  ]);
  if (!user) throw refuse("record_not_found", { params: { model: "User", id: userId } });
  return { success: true, credits: user.credits, data: entries.map(entryOf), meta: { ...page, total } };
}

const COLUMNS = ["id", "created_at", "amount", "balance", "reason", "actor", "note"] as const;

export async function download(
  { db, actor, locale }: Context<UserActor>,
  { query }: Input<typeof downloadCredits>,
): Promise<FileOutput> {
  const where = matching(actor.id, query);
  const rows = inBatches(async (batch) =>
    (await db.creditEntry.findMany({ where, orderBy: orderBy(query), ...batch, select: ENTRY })).map(entryOf),
  );
  return csvFile(rows, { name: "credits.csv", columns: COLUMNS, locale });
}

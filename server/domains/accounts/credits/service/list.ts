import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { createCsvFile, readInBatches } from "@/server/core/csv";
import { createNotFoundError } from "@/server/core/errors";
import { parsePage, parseSort } from "@/server/core/list";
import type { downloadCredits, listCredits, listUserCredits } from "../contract";
import { ENTRY_COLUMNS, toCreditEntry } from "../dto";

type Query = Input<typeof downloadCredits>["query"];

const buildFilter = (userId: number, { reason }: Query) => ({ userId, ...(reason != null && { reason }) });
const buildOrder = ({ sort }: Query) => ({ id: parseSort(sort ?? "-created_at").direction });

export function listOwnCredits(
  ctx: Context<UserActor>,
  { query }: Input<typeof listCredits>,
): Promise<Output<typeof listCredits>> {
  return readLedger(ctx, ctx.actor.id, query);
}

export function listCreditsOfAccount(
  ctx: Context<UserActor>,
  { params, query }: Input<typeof listUserCredits>,
): Promise<Output<typeof listUserCredits>> {
  requireAdministrator(ctx.actor);
  return readLedger(ctx, params.id, query);
}

async function readLedger(
  { db }: Context,
  userId: number,
  query: Input<typeof listCredits>["query"],
): Promise<Output<typeof listCredits>> {
  const where = buildFilter(userId, query);
  const { range, ...page } = parsePage(query);
  const [user, total, entries] = await Promise.all([
    db.user.findUnique({ where: { id: userId }, select: { credits: true } }),
    db.creditEntry.count({ where }),
    db.creditEntry.findMany({ where, ...range, orderBy: buildOrder(query), select: ENTRY_COLUMNS }),
  ]);
  if (!user) throw createNotFoundError("User", userId);
  return { success: true, credits: user.credits, data: entries.map(toCreditEntry), meta: { ...page, total } };
}

const CSV_COLUMNS = ["id", "created_at", "amount", "balance", "reason", "actor", "note"] as const;

export async function downloadOwnCredits(
  { db, actor, locale }: Context<UserActor>,
  { query }: Input<typeof downloadCredits>,
): Promise<FileOutput> {
  const where = buildFilter(actor.id, query);
  const rows = readInBatches(async (batch) =>
    (
      await db.creditEntry.findMany({ where, orderBy: buildOrder(query), ...batch, select: ENTRY_COLUMNS })
    ).map(toCreditEntry),
  );
  return createCsvFile(rows, { name: "credits.csv", columns: CSV_COLUMNS, locale });
}

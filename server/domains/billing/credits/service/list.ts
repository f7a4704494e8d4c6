import type { Context, UserActor } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { csvFile, inBatches } from "@/server/core/csv";
import { orderOf, pageOf } from "@/server/core/list";
import type { downloadCredits, listCredits } from "../contract";
import { ENTRY, entryOf } from "../dto";

type Query = Input<typeof downloadCredits>["query"];

const matching = (userId: number, { reason }: Query) => ({ userId, ...(reason != null && { reason }) });
const orderBy = ({ sort }: Query) => ({ id: orderOf(sort ?? "-created_at").direction });

/** One page of the caller's ledger. */
export async function list(
  { db, actor }: Context<UserActor>,
  { query }: Input<typeof listCredits>,
): Promise<Output<typeof listCredits>> {
  const where = matching(actor.id, query);
  const { rows, ...page } = pageOf(query);
  const [{ credits }, total, found] = await Promise.all([
    db.user.findUniqueOrThrow({ where: { id: actor.id }, select: { credits: true } }),
    db.creditEntry.count({ where }),
    db.creditEntry.findMany({ where, ...rows, orderBy: orderBy(query), select: ENTRY }),
  ]);
  return { success: true, credits, data: found.map(entryOf), meta: { ...page, total } };
}

const COLUMNS = ["id", "created_at", "amount", "balance", "reason", "actor", "note"] as const;

/** The entries that match, as a CSV that is written while it is sent. */
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

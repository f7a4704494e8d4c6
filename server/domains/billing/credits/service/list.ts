import type { Context, UserActor } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { csvFile } from "@/server/core/csv";
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

/** Rows that are read at once. */
const BATCH = 1000;
const COLUMNS = ["id", "created_at", "amount", "balance", "reason", "actor", "note"] as const;

/** The entries that match, as a CSV that is written while it is sent. */
export async function download(
  ctx: Context<UserActor>,
  { query }: Input<typeof downloadCredits>,
): Promise<FileOutput> {
  return csvFile(rowsOf(ctx, query), { name: "credits.csv", columns: COLUMNS, locale: ctx.locale });
}

async function* rowsOf({ db, actor }: Context<UserActor>, query: Query) {
  let last: number | undefined;
  do {
    const entries = await db.creditEntry.findMany({
      where: matching(actor.id, query),
      orderBy: orderBy(query),
      take: BATCH,
      ...(last !== undefined && { cursor: { id: last }, skip: 1 }),
      select: ENTRY,
    });
    for (const entry of entries) yield entryOf(entry);
    last = entries.length === BATCH ? entries.at(-1)!.id : undefined;
  } while (last !== undefined);
}

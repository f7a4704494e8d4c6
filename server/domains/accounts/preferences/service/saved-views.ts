import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { inaccessibleRecord, invalid, refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { isUniqueViolation } from "@/server/infrastructure/database/failure";
import type { createView, deleteView, listViews, renameView } from "../contract";
import { canonicalQuery, type SavedList, VIEWS_MAX } from "../policy";

type View = Output<typeof createView>["view"];

const VIEW = { id: true, list: true, name: true, query: true, createdAt: true } as const;

function viewOf(row: { id: number; list: string; name: string; query: string; createdAt: Date }): View {
  const { id, list, name, query, createdAt } = row;
  return { id, list: list as SavedList, name, query, created_at: isoMicros(createdAt) };
}

function throwNameTaken(error: unknown): never {
  throw isUniqueViolation(error, "name") ? invalid("name", "view_taken") : error;
}

const objectOf = (id: number) => ({ type: "SavedView" as const, id });

export async function list(
  { db, actor }: Context<UserActor>,
  { query }: Input<typeof listViews>,
): Promise<Output<typeof listViews>> {
  const rows = await db.savedView.findMany({
    where: { userId: actor.id, ...(query.list && { list: query.list }) },
    orderBy: [{ list: "asc" }, { name: "asc" }, { id: "asc" }],
    select: VIEW,
  });
  const views = rows.map(viewOf);
  return { success: true, views, data: views, count: views.length };
}

/** Throws `views_full`, and `validation` for a name that is taken or a query without filters. */
export async function create(
  ctx: Context<UserActor>,
  { body: { list: listName, name, query: input } }: Input<typeof createView>,
): Promise<Output<typeof createView>> {
  const { id: userId } = ctx.actor;
  const query = canonicalQuery(input);
  if (!query) throw invalid("query", "view_empty");
  const view = await withOwnAccount(ctx, async (tx) => {
    if ((await tx.db.savedView.count({ where: { userId, list: listName } })) >= VIEWS_MAX)
      throw refuse("views_full", { params: { max: VIEWS_MAX } });
    const row = await tx.db.savedView.create({ data: { userId, list: listName, name, query }, select: VIEW });
    await audit(tx, { action: "saved_view.created", object: objectOf(row.id), details: { list: listName } });
    return viewOf(row);
  }).catch(throwNameTaken);
  return { success: true, message: text(ctx.locale, "responses.view_saved"), view };
}

/** Throws `record_not_found`, `forbidden`, and `validation` for a name that is taken. */
export async function rename(
  ctx: Context<UserActor>,
  { params: { id }, body: { name } }: Input<typeof renameView>,
): Promise<Output<typeof renameView>> {
  const view = await withOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.savedView.updateMany({
      where: { id, userId: ctx.actor.id },
      data: { name },
    });
    if (count === 0) throw await viewOutOfReach(tx, id);
    await audit(tx, { action: "saved_view.renamed", object: objectOf(id) });
    return viewOf(await tx.db.savedView.findUniqueOrThrow({ where: { id }, select: VIEW }));
  }).catch(throwNameTaken);
  return { success: true, message: text(ctx.locale, "responses.view_saved"), view };
}

export async function remove(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof deleteView>,
): Promise<Output<typeof deleteView>> {
  await withOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.savedView.deleteMany({ where: { id, userId: ctx.actor.id } });
    if (count === 0) throw await viewOutOfReach(tx, id);
    await audit(tx, { action: "saved_view.deleted", object: objectOf(id) });
  });
  return { success: true, message: text(ctx.locale, "responses.view_deleted") };
}

async function viewOutOfReach({ db }: Pick<Context, "db">, id: number) {
  return inaccessibleRecord(
    await db.savedView.findUnique({ where: { id }, select: { id: true } }),
    "SavedView",
    id,
  );
}

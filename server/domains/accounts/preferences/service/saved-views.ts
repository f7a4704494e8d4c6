import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createInaccessibleError, invalidField } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import type { createView, deleteView, listViews, renameView } from "../contract";
import { MAX_VIEWS_PER_LIST, type SavedViewList, toCanonicalQuery } from "../policy";

type View = Output<typeof createView>["view"];

const VIEW_COLUMNS = { id: true, list: true, name: true, query: true, createdAt: true } as const;

function toView(row: { id: number; list: string; name: string; query: string; createdAt: Date }): View {
  const { id, list, name, query, createdAt } = row;
  return { id, list: list as SavedViewList, name, query, created_at: toIsoMicros(createdAt) };
}

function rethrowNameTaken(error: unknown): never {
  throw isUniqueViolation(error, "name") ? invalidField("name", "view_taken") : error;
}

const toAuditObject = (id: number) => ({ type: "SavedView" as const, id });

export async function listSavedViews(
  { db, actor }: Context<UserActor>,
  { query }: Input<typeof listViews>,
): Promise<Output<typeof listViews>> {
  const rows = await db.savedView.findMany({
    where: { userId: actor.id, ...(query.list && { list: query.list }) },
    orderBy: [{ list: "asc" }, { name: "asc" }, { id: "asc" }],
    select: VIEW_COLUMNS,
  });
  const views = rows.map(toView);
  return { success: true, views, data: views, count: views.length };
}

export async function createSavedView(
  ctx: Context<UserActor>,
  { body: { list: listName, name, query: input } }: Input<typeof createView>,
): Promise<Output<typeof createView>> {
  const { id: userId } = ctx.actor;
  const query = toCanonicalQuery(input);
  if (!query) throw invalidField("query", "view_empty");
  const view = await withLockedOwnAccount(ctx, async (tx) => {
    // The account is locked: no concurrent call can exceed the limit.
    if ((await tx.db.savedView.count({ where: { userId, list: listName } })) >= MAX_VIEWS_PER_LIST)
      throw createError("views_full", { params: { max: MAX_VIEWS_PER_LIST } });
    const row = await tx.db.savedView.create({
      data: { userId, list: listName, name, query },
      select: VIEW_COLUMNS,
    });
    await audit(tx, {
      action: "saved_view.created",
      object: toAuditObject(row.id),
      details: { list: listName },
    });
    return toView(row);
  }).catch(rethrowNameTaken);
  return { success: true, message: formatText(ctx.locale, "responses.view_saved"), view };
}

export async function renameSavedView(
  ctx: Context<UserActor>,
  { params: { id }, body: { name } }: Input<typeof renameView>,
): Promise<Output<typeof renameView>> {
  const view = await withLockedOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.savedView.updateMany({
      where: { id, userId: ctx.actor.id },
      data: { name },
    });
    if (count === 0) throw await findAccessError(tx, id);
    await audit(tx, { action: "saved_view.renamed", object: toAuditObject(id) });
    return toView(await tx.db.savedView.findUniqueOrThrow({ where: { id }, select: VIEW_COLUMNS }));
  }).catch(rethrowNameTaken);
  return { success: true, message: formatText(ctx.locale, "responses.view_saved"), view };
}

export async function deleteSavedView(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof deleteView>,
): Promise<Output<typeof deleteView>> {
  await withLockedOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.savedView.deleteMany({ where: { id, userId: ctx.actor.id } });
    if (count === 0) throw await findAccessError(tx, id);
    await audit(tx, { action: "saved_view.deleted", object: toAuditObject(id) });
  });
  return { success: true, message: formatText(ctx.locale, "responses.view_deleted") };
}

async function findAccessError({ db }: Pick<Context, "db">, id: number) {
  return createInaccessibleError(
    await db.savedView.findUnique({ where: { id }, select: { id: true } }),
    "SavedView",
    id,
  );
}

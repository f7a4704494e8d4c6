import type { Context, Scope, UserActor } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { createCsvFile } from "@/server/core/csv";
import { createInaccessibleError } from "@/server/core/errors";
import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import type { downloadCleanup, getCleanup, listCleanups, retryCleanup } from "../contract";
import { canManageConnection, HIDDEN_LABEL } from "../policy";
import { CONNECTION_SELECT, getConnectionLineage } from "./find";
import { performCleanupItems } from "./perform-items";
import { toCleanedCountField, toItemResult } from "./results";

const RECEIPT_LIST_MAX = 100;

function whereVisibleRun({ userId, role, onlySiteId }: Scope): Prisma.CleanupRunWhereInput {
  // Matches no run: agents and external keys see no receipts.
  if (onlySiteId !== null) return { id: "" };
  if (role === "admin") return {};
  return { OR: [{ askedById: userId }, { items: { some: whereManagedItem({ userId, role }) } }] };
}

function whereManagedItem({ userId, role }: Pick<Scope, "userId" | "role">): Prisma.CleanupItemWhereInput {
  if (role === "admin") return {};
  const ownerConditions: Prisma.UserWhereInput[] = [{ id: userId }];
  if (role === "reseller") ownerConditions.push({ resellerId: userId }, { parent: { resellerId: userId } });
  return { owner: { OR: ownerConditions } };
}

/** Items that the caller may read: all items of own runs, and managed items of other runs. */
function whereReadableItem(scope: Scope, askedById: number | null): Prisma.CleanupItemWhereInput {
  return askedById === scope.userId ? {} : whereManagedItem(scope);
}

const RUN_SELECT = {
  id: true,
  cause: true,
  askedById: true,
  createdAt: true,
  finishedAt: true,
  askedBy: { select: { id: true, name: true } },
} as const satisfies Prisma.CleanupRunSelect;
type CleanupRunRow = Prisma.CleanupRunGetPayload<{ select: typeof RUN_SELECT }>;

const ITEM_INCLUDE = {
  calls: { orderBy: { id: "asc" } },
  owner: { select: { id: true, ...CONNECTION_SELECT.owner.select } },
} as const satisfies Prisma.CleanupItemInclude;
type CleanupItemRow = Prisma.CleanupItemGetPayload<{ include: typeof ITEM_INCLUDE }>;

function toReceiptSummary(
  { id, cause, askedBy, createdAt, finishedAt }: CleanupRunRow,
  items: Array<Pick<CleanupItemRow, "state" | "nextAt">>,
) {
  const countItemsInStates = (...countedStates: Array<CleanupItemRow["state"]>) =>
    items.filter(({ state }) => countedStates.includes(state)).length;
  return {
    id,
    cause,
    asked_by: askedBy,
    created_at: toIsoMicros(createdAt),
    finished_at: toIsoMicros(finishedAt),
    counts: {
      ok: countItemsInStates("ok"),
      refused: countItemsInStates("refused"),
      failed: countItemsInStates("failed"),
      open: countItemsInStates("queued", "running"),
    },
  };
}

export async function listReceipts({ db, actor }: Context<UserActor>): Promise<Output<typeof listCleanups>> {
  const { scope } = actor;
  const runs = await db.cleanupRun.findMany({
    where: whereVisibleRun(scope),
    orderBy: { id: "desc" },
    take: RECEIPT_LIST_MAX,
    select: RUN_SELECT,
  });
  const items = await db.cleanupItem.findMany({
    where: {
      OR: runs.map(({ id: runId, askedById }) => ({ runId, ...whereReadableItem(scope, askedById) })),
    },
    select: { runId: true, state: true, nextAt: true },
  });
  const data = runs.map((run) =>
    toReceiptSummary(
      run,
      items.filter(({ runId }) => runId === run.id),
    ),
  );
  return { success: true, receipts: data, data };
}

export async function getReceipt(
  ctx: Context<UserActor>,
  { params }: Input<typeof getCleanup>,
): Promise<Output<typeof getCleanup>> {
  const { run, items } = await readReceiptRun(ctx, params.id);
  const receiptItems = items.map((item) => ({
    ...toItemResult(item),
    label: item.label,
    state: item.state,
    attempts: item.attempts,
    next_at: toIsoMicros(item.nextAt),
    finished_at: toIsoMicros(item.finishedAt),
    calls: item.calls.map(({ step, call, status, code, outcome, ms, at }) => ({
      ...{ step, call, status, code, outcome, ms },
      at: toIsoMicros(at),
    })),
  }));
  return { success: true, receipt: { ...toReceiptSummary(run, items), items: receiptItems } };
}

async function readReceiptRun(
  { db, actor }: Context<UserActor>,
  id: string,
): Promise<{ run: CleanupRunRow; items: CleanupItemRow[] }> {
  const run = await db.cleanupRun.findFirst({
    where: { id, ...whereVisibleRun(actor.scope) },
    select: RUN_SELECT,
  });
  if (!run)
    throw createInaccessibleError(
      await db.cleanupRun.findUnique({ where: { id }, select: { id: true } }),
      "ConnectionCleanup",
      id,
    );
  const items = await db.cleanupItem.findMany({
    where: { runId: id, ...whereReadableItem(actor.scope, run.askedById) },
    orderBy: { position: "asc" },
    include: ITEM_INCLUDE,
  });
  return { run, items: items.map((item) => redactItem(actor.scope, item)) };
}

/** Hides label, calls and retries of an item whose account has left the requester's scope. */
function redactItem(scope: Scope, item: CleanupItemRow): CleanupItemRow {
  const { owner } = item;
  if (!owner || canManageConnection(scope, getConnectionLineage({ userId: owner.id, owner }))) return item;
  const failedState = item.state === "failed" && { reason: "forbidden", nextAt: null };
  return { ...item, label: HIDDEN_LABEL, calls: [], ...failedState };
}

const CSV_COLUMNS = [
  ...["channel", "id", "label", "state", "reason", "token_dead", "step", "call", "status", "code", "outcome"],
  ...["ms", "at"],
];

export async function downloadReceipt(
  ctx: Context<UserActor>,
  { params }: Input<typeof downloadCleanup>,
): Promise<FileOutput> {
  const { items } = await readReceiptRun(ctx, params.id);
  return createCsvFile(toCsvRows(items), {
    name: `cleanup-${params.id}.csv`,
    columns: CSV_COLUMNS,
    locale: ctx.locale,
  });
}

async function* toCsvRows(items: CleanupItemRow[]) {
  for (const { channel, connectionId, label, state, reason, tokenDead, calls } of items) {
    const item = { channel, id: Number(connectionId), label, state, reason, token_dead: tokenDead };
    if (calls.length === 0) yield item;
    for (const { step, call, status, code, outcome, ms, at } of calls)
      yield { ...item, step, call, status, code, outcome, ms, at: toIsoMicros(at) };
  }
}

export async function retryFailedItems(
  ctx: Context<UserActor>,
  { params: { id: runId } }: Input<typeof retryCleanup>,
): Promise<Output<typeof retryCleanup>> {
  const { run } = await readReceiptRun(ctx, runId);
  if (run.askedById !== ctx.actor.id) throw createInaccessibleError(run, "ConnectionCleanup", runId);
  const itemIds = await withTransaction(ctx, (tx) => makeFailedItemsDue(tx, runId));
  await performCleanupItems(itemIds);
  const results = (await readReceiptRun(ctx, runId)).items.map(toItemResult);
  return { success: true, results, ...toCleanedCountField(results), receipt_id: runId, dry_run: false };
}

/** Makes failed items due. An item whose connection has another open item cannot be claimed. */
async function makeFailedItemsDue({ db, actor }: Context<UserActor>, runId: string): Promise<number[]> {
  const rows = await db.cleanupItem.updateManyAndReturn({
    where: { runId, state: "failed", ...whereManagedItem(actor.scope) },
    data: { nextAt: new Date(), finishedAt: null },
    select: { id: true },
  });
  await db.cleanupRun.updateMany({
    where: { id: runId },
    data: { ...(rows.length > 0 && { finishedAt: null }) },
  });
  return rows.map(({ id }) => id);
}

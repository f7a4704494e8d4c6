import type { Context, Scope, UserActor } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { csvFile } from "@/server/core/csv";
import { inaccessibleRecord } from "@/server/core/errors";
import { isoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import type { downloadCleanup, getCleanup, listCleanups, retryCleanup } from "../contract";
import { HIDDEN_LABEL, mayManageConnection } from "../policy";
import { CONNECTION, lineageOf } from "./find";
import { countsOf, resultOf } from "./results";
import { performAll } from "./run";

const LIST_MAX = 100;

function visibleRuns({ userId, role, onlySite }: Scope): Prisma.CleanupRunWhereInput {
  if (onlySite !== null) return { id: "" };
  if (role === "admin") return {};
  return { OR: [{ askedById: userId }, { items: { some: managedItems({ userId, role }) } }] };
}

/** Items of accounts whose connections the caller manages now. */
function managedItems({ userId, role }: Pick<Scope, "userId" | "role">): Prisma.CleanupItemWhereInput {
  if (role === "admin") return {};
  const owner: Prisma.UserWhereInput[] = [{ id: userId }];
  if (role === "reseller") owner.push({ resellerId: userId }, { parent: { resellerId: userId } });
  return { owner: { OR: owner } };
}

/** Items the caller may read: all of their own runs, else those they manage. */
function readableItems(scope: Scope, askedById: number | null): Prisma.CleanupItemWhereInput {
  return askedById === scope.userId ? {} : managedItems(scope);
}

const RUN = {
  id: true,
  cause: true,
  askedById: true,
  createdAt: true,
  finishedAt: true,
  askedBy: { select: { id: true, name: true } },
} as const satisfies Prisma.CleanupRunSelect;
type Run = Prisma.CleanupRunGetPayload<{ select: typeof RUN }>;

const ITEM = {
  calls: { orderBy: { id: "asc" } },
  owner: { select: { id: true, ...CONNECTION.owner.select } },
} as const satisfies Prisma.CleanupItemInclude;
type Item = Prisma.CleanupItemGetPayload<{ include: typeof ITEM }>;

function headOf(
  { id, cause, askedBy, createdAt, finishedAt }: Run,
  states: Array<Pick<Item, "state" | "nextAt">>,
) {
  const count = (...matching: Array<Item["state"]>) =>
    states.filter(({ state }) => matching.includes(state)).length;
  return {
    id,
    cause,
    asked_by: askedBy,
    created_at: isoMicros(createdAt),
    finished_at: isoMicros(finishedAt),
    counts: {
      ok: count("ok"),
      refused: count("refused"),
      failed: count("failed"),
      open: count("queued", "running"),
    },
  };
}

export async function list({ db, actor }: Context<UserActor>): Promise<Output<typeof listCleanups>> {
  const { scope } = actor;
  const runs = await db.cleanupRun.findMany({
    where: visibleRuns(scope),
    orderBy: { id: "desc" },
    take: LIST_MAX,
    select: RUN,
  });
  const items = await db.cleanupItem.findMany({
    where: { OR: runs.map(({ id: runId, askedById }) => ({ runId, ...readableItems(scope, askedById) })) },
    select: { runId: true, state: true, nextAt: true },
  });
  const data = runs.map((run) =>
    headOf(
      run,
      items.filter(({ runId }) => runId === run.id),
    ),
  );
  return { success: true, receipts: data, data };
}

/** Throws `record_not_found`, or `forbidden` outside the caller's scope. */
export async function get(
  ctx: Context<UserActor>,
  { params }: Input<typeof getCleanup>,
): Promise<Output<typeof getCleanup>> {
  const { run, items } = await read(ctx, params.id);
  const describedItems = items.map((item) => ({
    ...resultOf(item),
    label: item.label,
    state: item.state,
    attempts: item.attempts,
    next_at: isoMicros(item.nextAt),
    finished_at: isoMicros(item.finishedAt),
    calls: item.calls.map(({ step, call, status, code, outcome, ms, at }) => ({
      ...{ step, call, status, code, outcome, ms },
      at: isoMicros(at),
    })),
  }));
  return { success: true, receipt: { ...headOf(run, items), items: describedItems } };
}

async function read({ db, actor }: Context<UserActor>, id: string): Promise<{ run: Run; items: Item[] }> {
  const run = await db.cleanupRun.findFirst({ where: { id, ...visibleRuns(actor.scope) }, select: RUN });
  if (!run)
    throw inaccessibleRecord(
      await db.cleanupRun.findUnique({ where: { id }, select: { id: true } }),
      "CleanupRun",
      id,
    );
  const items = await db.cleanupItem.findMany({
    where: { runId: id, ...readableItems(actor.scope, run.askedById) },
    orderBy: { position: "asc" },
    include: ITEM,
  });
  return { run, items: items.map((item) => redactFor(actor.scope, item)) };
}

/** Hides label, calls and retries of items whose account has left the requester's scope. */
function redactFor(scope: Scope, item: Item): Item {
  const { owner } = item;
  if (!owner || mayManageConnection(scope, lineageOf({ userId: owner.id, owner }))) return item;
  const failed = item.state === "failed" && { reason: "forbidden", nextAt: null };
  return { ...item, label: HIDDEN_LABEL, calls: [], ...failed };
}

const COLUMNS = [
  ...["channel", "id", "label", "state", "reason", "token_dead", "step", "call", "status", "code", "outcome"],
  ...["ms", "at"],
];

export async function download(
  ctx: Context<UserActor>,
  { params }: Input<typeof downloadCleanup>,
): Promise<FileOutput> {
  const { items } = await read(ctx, params.id);
  return csvFile(lines(items), { name: `cleanup-${params.id}.csv`, columns: COLUMNS, locale: ctx.locale });
}

async function* lines(items: Item[]) {
  for (const { channel, connectionId, label, state, reason, tokenDead, calls } of items) {
    const item = { channel, id: Number(connectionId), label, state, reason, token_dead: tokenDead };
    if (calls.length === 0) yield item;
    for (const { step, call, status, code, outcome, ms, at } of calls)
      yield { ...item, step, call, status, code, outcome, ms, at: isoMicros(at) };
  }
}

/** Retries the failed items of the caller's own run, for accounts still in scope. */
export async function retry(
  ctx: Context<UserActor>,
  { params: { id: runId } }: Input<typeof retryCleanup>,
): Promise<Output<typeof retryCleanup>> {
  const { run } = await read(ctx, runId);
  if (run.askedById !== ctx.actor.id) throw inaccessibleRecord(run, "CleanupRun", runId);
  const itemIds = await withTransaction(ctx, (tx) => makeDue(tx, runId));
  await performAll(itemIds);
  const results = (await read(ctx, runId)).items.map(resultOf);
  return { success: true, results, ...countsOf(results), receipt_id: runId, dry_run: false };
}

/** Makes failed items due. Claiming skips an item whose connection has a newer open one. */
async function makeDue({ db, actor }: Context<UserActor>, runId: string): Promise<number[]> {
  const rows = await db.cleanupItem.updateManyAndReturn({
    where: { runId, state: "failed", ...managedItems(actor.scope) },
    data: { nextAt: new Date(), finishedAt: null },
    select: { id: true },
  });
  await db.cleanupRun.updateMany({
    where: { id: runId },
    data: { ...(rows.length > 0 && { finishedAt: null }) },
  });
  return rows.map(({ id }) => id);
}

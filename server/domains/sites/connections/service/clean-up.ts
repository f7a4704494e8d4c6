import { ulid } from "ulid";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { MAX_ID } from "@/server/core/schema";
import { fromNow } from "@/server/core/time";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { cleanConnections } from "../contract";
import { canManageConnection, canSeeConnection } from "../policy";
import { insertCleanupItems } from "../statements";
import {
  type ConnectionWithSites,
  findConnectionsById,
  getConnectionLineage,
  getIdleReasons,
  getLinkedSiteIds,
} from "./find";
import { getResumeDelayMs, performCleanupItems } from "./perform-items";
import { planCleanup } from "./plan";
import { type CleanupItemResult, listItemResults, toCleanedCountField } from "./results";

type RequestedItem = Input<typeof cleanConnections>["body"]["items"][number];
type Decision = { refused: NonNullable<CleanupItemResult["reason"]> } | { connection: ConnectionWithSites };

/** Cleans up idle connections (docs/contract.md 4.7): writes all rows first, then makes the calls. */
export async function cleanUpConnections(
  ctx: Context<UserActor>,
  { body }: Input<typeof cleanConnections>,
): Promise<Output<typeof cleanConnections>> {
  const uniqueItems = dedupeItems(body.items);
  if (body.dry_run) return planCleanups(ctx, body.items, uniqueItems);
  const { runId, itemIds } = await createCleanupRun(ctx, uniqueItems, { shouldWait: !body.background });
  if (!body.background) await performCleanupItems(itemIds);
  const resultByItem = new Map(
    (await listItemResults(ctx, runId)).map((result) => [getItemKey(result), result]),
  );
  const results = body.items.map((item) => resultByItem.get(getItemKey(item))!);
  return {
    success: true,
    results,
    ...toCleanedCountField([...resultByItem.values()]),
    receipt_id: runId,
    dry_run: false,
  };
}

const getItemKey = ({ channel, id }: RequestedItem) => `${id} ${channel}`;

function dedupeItems(items: RequestedItem[]): RequestedItem[] {
  return [...new Map(items.toReversed().map((item) => [getItemKey(item), item])).values()].toReversed();
}

/** Decides without locks; `performCleanupItem` decides again. Invisible connections are `not_found`. */
async function decideItems(
  access: Pick<DbAccess, "db">,
  { id: callerId, scope }: UserActor,
  items: RequestedItem[],
): Promise<Decision[]> {
  const ids = items.map(({ id }) => id).filter((id) => id > 0 && id <= MAX_ID);
  const connections = await findConnectionsById(access, ids);
  const cleanedItemKeys = new Set(
    (
      await access.db.cleanupItem.findMany({
        where: {
          connectionId: { in: ids },
          state: "ok",
          OR: [{ ownerId: callerId }, { run: { askedById: callerId } }],
        },
        select: { connectionId: true, channel: true },
      })
    ).map(({ connectionId, channel }) => getItemKey({ id: Number(connectionId), channel })),
  );
  return items.map((item) => {
    const connection = connections.get(item.id);
    if (!connection || connection.channel !== item.channel)
      return { refused: cleanedItemKeys.has(getItemKey(item)) ? "already_clean" : "not_found" };
    const lineage = getConnectionLineage(connection);
    if (!canSeeConnection(scope, lineage, getLinkedSiteIds(connection))) return { refused: "not_found" };
    if (!canManageConnection(scope, lineage)) return { refused: "forbidden" };
    if (connection.cleanup === "running") return { refused: "running" };
    return getIdleReasons(connection).length > 0 ? { connection } : { refused: "in_use" };
  });
}

/** Writes the run, its items and a job per open item. The job completes the item if this process dies. */
async function createCleanupRun(
  ctx: Context<UserActor>,
  items: RequestedItem[],
  { shouldWait }: { shouldWait: boolean },
): Promise<{ runId: string; itemIds: number[] }> {
  const runId = ulid();
  return withTransaction(ctx, async (tx) => {
    const decisions = await decideItems(tx, tx.actor, items);
    await tx.db.cleanupRun.create({ data: { id: runId, askedById: tx.actor.id }, select: { id: true } });
    const acceptedItems = decisions.flatMap((decision, position) =>
      "connection" in decision ? [{ position, ...decision }] : [],
    );
    const createdItems = await queueItems(tx, runId, acceptedItems, { shouldWait });
    const queuedPositions = new Set(createdItems.map(({ position }) => position));
    const refusedItems = decisions.flatMap((decision, position) =>
      queuedPositions.has(position)
        ? []
        : [{ position, reason: "refused" in decision ? decision.refused : "running" }],
    );
    await tx.db.cleanupItem.createMany({
      data: refusedItems.map(({ position, reason }) => {
        const decision = decisions[position]!;
        return {
          runId,
          position,
          channel: items[position]!.channel,
          connectionId: items[position]!.id,
          ...("connection" in decision && {
            ownerId: decision.connection.userId,
            label: decision.connection.label,
          }),
          state: "refused" as const,
          reason,
          finishedAt: new Date(),
        };
      }),
    });
    if (createdItems.length === 0)
      await tx.db.cleanupRun.update({
        where: { id: runId },
        data: { finishedAt: new Date() },
        select: { id: true },
      });
    return { runId, itemIds: createdItems.map(({ id }) => id) };
  });
}

async function queueItems(
  tx: DbAccess,
  runId: string,
  acceptedItems: Array<{ position: number; connection: ConnectionWithSites }>,
  { shouldWait }: { shouldWait: boolean },
): Promise<Array<{ id: number; position: number }>> {
  if (acceptedItems.length === 0) return [];
  const createdItems = await insertCleanupItems(tx, {
    runId,
    positions: acceptedItems.map(({ position }) => position),
    channels: acceptedItems.map(({ connection }) => connection.channel),
    connectionIds: acceptedItems.map(({ connection }) => connection.id),
    ownerIds: acceptedItems.map(({ connection }) => connection.userId),
    labels: acceptedItems.map(({ connection }) => connection.label),
  });
  const channels = new Map(acceptedItems.map(({ position, connection }) => [position, connection.channel]));
  // The new item replaces an earlier failed one.
  await tx.db.cleanupItem.updateMany({
    where: {
      connectionId: { in: acceptedItems.map(({ connection }) => connection.id) },
      state: "failed",
      nextAt: { not: null },
    },
    data: { nextAt: null, finishedAt: new Date() },
  });
  for (const [index, { id, position }] of createdItems.entries()) {
    // If no request waits, the job need not leave it time to finish.
    const delayMs =
      getResumeDelayMs(index, channels.get(position)!) - (shouldWait ? 0 : getResumeDelayMs(0, ""));
    await addJob(tx, "clean_connection", { itemId: id }, { runAt: fromNow(delayMs), key: `clean:${id}` });
  }
  return createdItems;
}

async function planCleanups(
  ctx: Context<UserActor>,
  requestedItems: RequestedItem[],
  items: RequestedItem[],
): Promise<Output<typeof cleanConnections>> {
  const decisions = await decideItems(ctx, ctx.actor, items);
  const removedIds = decisions.flatMap((decision) =>
    "connection" in decision ? [decision.connection.id] : [],
  );
  const resultByItem = new Map<string, CleanupItemResult>();
  const queue = items.entries();
  const runWorker = async () => {
    for (const [index, item] of queue) {
      const decision = decisions[index]!;
      resultByItem.set(
        getItemKey(item),
        "refused" in decision
          ? {
              ...item,
              ok: false,
              reason: decision.refused,
              ...(decision.refused === "running" && { retryable: true }),
            }
          : { ...item, ok: true, plan: await planCleanup(decision.connection, removedIds) },
      );
    }
  };
  await Promise.all(Array.from({ length: 6 }, runWorker));
  const results = requestedItems.map((item) => resultByItem.get(getItemKey(item))!);
  return {
    success: true,
    results,
    ...toCleanedCountField([...resultByItem.values()]),
    receipt_id: null,
    dry_run: true,
  };
}

/** Cleans up connections that lose their last site. Call it in the transaction that deletes the site. */
export async function cleanUpAfterSiteDeletion(
  tx: DbAccess,
  connections: ConnectionWithSites[],
  askedById: number | null,
): Promise<void> {
  if (connections.length === 0) return;
  const runId = ulid();
  await tx.db.cleanupRun.create({
    data: { id: runId, askedById, cause: "site_deleted" },
    select: { id: true },
  });
  const acceptedItems = connections.map((connection, position) => ({ connection, position }));
  const createdItems = await queueItems(tx, runId, acceptedItems, { shouldWait: false });
  if (createdItems.length === 0) await tx.db.cleanupRun.deleteMany({ where: { id: runId } });
}

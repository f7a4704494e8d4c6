import { ulid } from "ulid";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { MAX_ID } from "@/server/core/schema";
import { fromNow } from "@/server/core/time";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { cleanConnections } from "../contract";
import { mayManageConnection, seesConnection } from "../policy";
import { insertItems } from "../statements";
import { type ConnectionWithSites, findConnections, lineageOf, reasonsOf, siteIdsOf } from "./find";
import { planOf } from "./plan";
import { countsOf, type Result, resultsOf } from "./results";
import { performAll, resumeDelay } from "./run";

type Item = Input<typeof cleanConnections>["body"]["items"][number];
type Verdict = { refused: NonNullable<Result["reason"]> } | { connection: ConnectionWithSites };

/** Cleans up idle connections (docs/contract.md 4.7): writes all rows first, then makes the calls. */
export async function clean(
  ctx: Context<UserActor>,
  { body }: Input<typeof cleanConnections>,
): Promise<Output<typeof cleanConnections>> {
  const items = unique(body.items);
  if (body.dry_run) return dryRun(ctx, body.items, items);
  const { runId, itemIds } = await openRun(ctx, items, { wait: !body.background });
  if (!body.background) await performAll(itemIds);
  const byItem = new Map((await resultsOf(ctx, runId)).map((result) => [keyOf(result), result]));
  const results = body.items.map((item) => byItem.get(keyOf(item))!);
  return { success: true, results, ...countsOf([...byItem.values()]), receipt_id: runId, dry_run: false };
}

const keyOf = ({ channel, id }: Item) => `${id} ${channel}`;

function unique(items: Item[]): Item[] {
  return [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
}

/** Decides before any locks. Unknown and invisible connections give the same result. */
async function verdictsOf(
  work: Pick<DbAccess, "db">,
  { id: callerId, scope }: UserActor,
  items: Item[],
): Promise<Verdict[]> {
  const ids = items.map(({ id }) => id).filter((id) => id > 0 && id <= MAX_ID);
  const connections = await findConnections(work, ids);
  const cleanedKeys = new Set(
    (
      await work.db.cleanupItem.findMany({
        where: {
          connectionId: { in: ids },
          state: "ok",
          OR: [{ ownerId: callerId }, { run: { askedById: callerId } }],
        },
        select: { connectionId: true, channel: true },
      })
    ).map(({ connectionId, channel }) => keyOf({ id: Number(connectionId), channel })),
  );
  return items.map((item) => {
    const connection = connections.get(item.id);
    if (!connection || connection.channel !== item.channel)
      return { refused: cleanedKeys.has(keyOf(item)) ? "already_clean" : "not_found" };
    const lineage = lineageOf(connection);
    if (!seesConnection(scope, lineage, siteIdsOf(connection))) return { refused: "not_found" };
    if (!mayManageConnection(scope, lineage)) return { refused: "forbidden" };
    if (connection.cleanup === "running") return { refused: "running" };
    return reasonsOf(connection).length > 0 ? { connection } : { refused: "in_use" };
  });
}

/** Writes the run, its items and a job per open item, which completes it if this process dies. */
async function openRun(
  ctx: Context<UserActor>,
  items: Item[],
  { wait }: { wait: boolean },
): Promise<{ runId: string; itemIds: number[] }> {
  const runId = ulid();
  return withTransaction(ctx, async (tx) => {
    const verdicts = await verdictsOf(tx, tx.actor, items);
    await tx.db.cleanupRun.create({ data: { id: runId, askedById: tx.actor.id }, select: { id: true } });
    const accepted = verdicts.flatMap((verdict, position) =>
      "connection" in verdict ? [{ position, ...verdict }] : [],
    );
    const created = await queueItems(tx, runId, accepted, { wait });
    const queued = new Set(created.map(({ position }) => position));
    const refused = verdicts.flatMap((verdict, position) =>
      queued.has(position) ? [] : [{ position, reason: "refused" in verdict ? verdict.refused : "running" }],
    );
    await tx.db.cleanupItem.createMany({
      data: refused.map(({ position, reason }) => {
        const verdict = verdicts[position]!;
        return {
          runId,
          position,
          channel: items[position]!.channel,
          connectionId: items[position]!.id,
          ...("connection" in verdict && {
            ownerId: verdict.connection.userId,
            label: verdict.connection.label,
          }),
          state: "refused" as const,
          reason,
          finishedAt: new Date(),
        };
      }),
    });
    if (created.length === 0)
      await tx.db.cleanupRun.update({
        where: { id: runId },
        data: { finishedAt: new Date() },
        select: { id: true },
      });
    return { runId, itemIds: created.map(({ id }) => id) };
  });
}

/** Opens items with their jobs. Skips connections that have an open item. */
async function queueItems(
  tx: DbAccess,
  runId: string,
  accepted: Array<{ position: number; connection: ConnectionWithSites }>,
  { wait }: { wait: boolean },
): Promise<Array<{ id: number; position: number }>> {
  if (accepted.length === 0) return [];
  const created = await insertItems(tx, {
    runId,
    positions: accepted.map(({ position }) => position),
    channels: accepted.map(({ connection }) => connection.channel),
    connectionIds: accepted.map(({ connection }) => connection.id),
    ownerIds: accepted.map(({ connection }) => connection.userId),
    labels: accepted.map(({ connection }) => connection.label),
  });
  const channels = new Map(accepted.map(({ position, connection }) => [position, connection.channel]));
  // The new item replaces an earlier failed one.
  await tx.db.cleanupItem.updateMany({
    where: {
      connectionId: { in: accepted.map(({ connection }) => connection.id) },
      state: "failed",
      nextAt: { not: null },
    },
    data: { nextAt: null, finishedAt: new Date() },
  });
  for (const [index, { id, position }] of created.entries()) {
    const after = resumeDelay(index, channels.get(position)!) - (wait ? 0 : resumeDelay(0, ""));
    await addJob(tx, "clean_connection", { itemId: id }, { runAt: fromNow(after), key: `clean:${id}` });
  }
  return created;
}

async function dryRun(
  ctx: Context<UserActor>,
  requested: Item[],
  items: Item[],
): Promise<Output<typeof cleanConnections>> {
  const verdicts = await verdictsOf(ctx, ctx.actor, items);
  const removedIds = verdicts.flatMap((verdict) => ("connection" in verdict ? [verdict.connection.id] : []));
  const byItem = new Map<string, Result>();
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) {
      const verdict = verdicts[index]!;
      byItem.set(
        keyOf(item),
        "refused" in verdict
          ? {
              ...item,
              ok: false,
              reason: verdict.refused,
              ...(verdict.refused === "running" && { retryable: true }),
            }
          : { ...item, ok: true, plan: await planOf(verdict.connection, removedIds) },
      );
    }
  };
  await Promise.all(Array.from({ length: 6 }, lane));
  const results = requested.map((item) => byItem.get(keyOf(item))!);
  return { success: true, results, ...countsOf([...byItem.values()]), receipt_id: null, dry_run: true };
}

/** Opens a clean-up for connections that lose their last site. Call it in the site's transaction. */
export async function cleanAfterSite(
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
  const accepted = connections.map((connection, position) => ({ connection, position }));
  const created = await queueItems(tx, runId, accepted, { wait: false });
  if (created.length === 0) await tx.db.cleanupRun.deleteMany({ where: { id: runId } });
}

import { env } from "@/server/core/env";
import { MINUTE, SECOND } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { performCleanupItem } from "./perform-item";

const WORKER_COUNT = 6;
const REQUEST_WAIT_MAX_MS = 55 * SECOND;

/** Telegram bots per minute: the Bot API blocks IP addresses that use more. */
const BOTS_PER_MINUTE_MAX = 15;

/** Processes the items of one provider account in sequence. After 55 s, jobs finish the other items. */
export async function performCleanupItems(itemIds: number[]): Promise<void> {
  const queues = await groupByAccount(itemIds);
  const deadline = performance.now() + REQUEST_WAIT_MAX_MS;
  const runWorker = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift())
      for (const id of queue) {
        if (performance.now() > deadline) return;
        await performCleanupItem(id);
      }
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, REQUEST_WAIT_MAX_MS);
  });
  await Promise.race([Promise.all(Array.from({ length: WORKER_COUNT }, runWorker)), timeout]);
  clearTimeout(timer);
}

/** Groups items by provider account. Leaves out bots above the limit: their jobs run later. */
async function groupByAccount(itemIds: number[]): Promise<number[][]> {
  const { db } = withoutTransaction();
  const items = await db.cleanupItem.findMany({
    where: { id: { in: itemIds } },
    orderBy: { position: "asc" },
    select: { id: true, connectionId: true, channel: true },
  });
  const connections = await db.connection.findMany({
    where: { id: { in: items.map(({ connectionId }) => Number(connectionId)) } },
    select: { id: true, channel: true, accountKey: true },
  });
  const accountKeys = new Map(
    connections.map(({ id, channel, accountKey }) => [id, accountKey && `${channel} ${accountKey}`]),
  );
  const queues = new Map<string, number[]>();
  let botCount = 0;
  for (const { id, connectionId, channel } of items) {
    if (channel === "telegram" && hasBotLimit() && ++botCount > BOTS_PER_MINUTE_MAX) continue;
    const queueKey = accountKeys.get(Number(connectionId)) || `item ${id}`;
    queues.set(queueKey, [...(queues.get(queueKey) ?? []), id]);
  }
  return [...queues.values()];
}

/** 90 s outlasts a request, as in `listDueCleanupItems`. Bots above the limit wait minutes longer. */
export function getResumeDelayMs(index: number, channel: string): number {
  const botDelayMs =
    channel === "telegram" && hasBotLimit() ? Math.floor(index / BOTS_PER_MINUTE_MAX) * MINUTE : 0;
  return 90 * SECOND + botDelayMs;
}

function hasBotLimit(): boolean {
  return new URL(env().TELEGRAM_API_URL).hostname === "api.telegram.org";
}

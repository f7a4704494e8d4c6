import { env } from "@/server/core/env";
import { MINUTE, SECOND } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { performItem } from "./perform";

const LANES = 6;
const WAIT_MAX = 55 * SECOND;

/** Telegram bots per minute: the Bot API blocks IP addresses that use more. */
const BOTS_PER_MINUTE = 15;

/** Processes items of one provider account in sequence. Waits at most 55 seconds; jobs finish the rest. */
export async function performAll(itemIds: number[]): Promise<void> {
  const queues = await queuesByAccount(itemIds);
  const giveUpAt = performance.now() + WAIT_MAX;
  const lane = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift())
      for (const id of queue) {
        if (performance.now() > giveUpAt) return;
        await performItem(id);
      }
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MAX);
  });
  await Promise.race([Promise.all(Array.from({ length: LANES }, lane)), timeout]);
  clearTimeout(timer);
}

/** Groups items by provider account. Leaves bots above the limit to jobs. */
async function queuesByAccount(itemIds: number[]): Promise<number[][]> {
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
  const keys = new Map(
    connections.map(({ id, channel, accountKey }) => [id, accountKey && `${channel} ${accountKey}`]),
  );
  const queues = new Map<string, number[]>();
  let bots = 0;
  for (const { id, connectionId, channel } of items) {
    if (channel === "telegram" && hasBotLimit() && ++bots > BOTS_PER_MINUTE) continue;
    const key = keys.get(Number(connectionId)) || `item ${id}`;
    queues.set(key, [...(queues.get(key) ?? []), id]);
  }
  return [...queues.values()];
}

/** Delay of the job that completes an item if its request does not; later for bots above the limit. */
export function resumeDelay(index: number, channel: string): number {
  const delay = channel === "telegram" && hasBotLimit() ? Math.floor(index / BOTS_PER_MINUTE) * MINUTE : 0;
  return 90 * SECOND + delay;
}

function hasBotLimit(): boolean {
  return new URL(env().TELEGRAM_API_URL).hostname === "api.telegram.org";
}

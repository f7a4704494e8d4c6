import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { outside, type Work } from "@/server/infrastructure/database/transaction";
import { isLeaving } from "@/server/infrastructure/jobs/leaving";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { FAILING_DAYS, FAILURES_MIN } from "../policy";
import { type Claimed, claimDue, finishAttempt, nextDue } from "../statements";
import { type Attempt, PATIENCE, send } from "./send";

/** Attempts that are under way at once, in all: they take one place among the worker's jobs. */
const AT_ONCE = 50;
/** How often a busy pump looks for what has become due. */
const LOOK = 200;
/** A pump hands over after so long, so that no job of ours seems lost. */
const SHIFT = MINUTE;

/** The pumps of all processes run one after the other. */
const QUEUE = "webhooks";

/** Has the pump run once the caller's transaction is committed. */
export async function wakePump(work: Pick<Work, "sql">): Promise<void> {
  await addJob(work, "pump_webhooks", {}, { key: "webhooks:now", queue: QUEUE });
}

/**
 * Sends what is due until nothing is, and has itself woken for what comes later. A receiver that hangs holds up neither other
 * receivers nor other jobs. A pump that is killed leaves claims that end by themselves: those events are sent again, under
 * the same id.
 */
export async function pump(): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const until = Date.now() + SHIFT;
  while (Date.now() < until && !isLeaving()) {
    const room = AT_ONCE - underWay.size;
    const claimed = room > 0 ? await claimDue(outside(), { limit: room }) : [];
    for (const each of claimed) {
      const work: Promise<void> = deliver(each)
        .catch((error: Error) =>
          log.error({ event: "webhooks.delivery_failed", delivery: each.id, reason: error.message }),
        )
        .finally(() => underWay.delete(work));
      underWay.add(work);
    }
    if (underWay.size === 0) break;
    await halfOf(underWay);
  }
  await Promise.all(underWay);
  await wakeLater();
}

/** Until half of them are over, so that one look takes several, or it is time for a look. */
function halfOf(underWay: ReadonlySet<Promise<void>>): Promise<void> {
  let left = Math.ceil(underWay.size / 2);
  return new Promise((resolve) => {
    const look = setTimeout(resolve, LOOK);
    for (const each of underWay)
      void each.then(() => {
        if (--left > 0) return;
        clearTimeout(look);
        resolve();
      });
  });
}

async function wakeLater(): Promise<void> {
  const [next] = await nextDue(outside());
  if (!next?.at) return;
  // A claim of somebody else may end at a moment that has passed by now.
  const runAt = new Date(Math.max(next.at.getTime(), Date.now() + LOOK));
  await addJob(outside(), "pump_webhooks", {}, { key: "webhooks:later", queue: QUEUE, runAt });
}

/** Finds what nobody wakes the pump for: a job was lost, or a passive account is active again. */
export async function lookForDue(): Promise<void> {
  const [next] = await nextDue(outside());
  if (next?.at && next.at <= new Date()) await wakePump(outside());
}

async function deliver(claimed: Claimed): Promise<void> {
  const attempt = await send(claimed, PATIENCE.delivery);
  await finishAttempt(outside(), {
    id: claimed.id,
    endpointId: claimed.endpointId,
    url: claimed.url,
    attempts: claimed.attempts,
    status: attempt.status,
    failure: attempt.failure,
    duration: attempt.duration,
    nextAt: nextAttempt(claimed.attempts, attempt),
    pausedUntil: slowsDown(attempt) ? attempt.retryAt : null,
    gone: attempt.status === 410,
    limits: { notifyDays: FAILING_DAYS.notify, offDays: FAILING_DAYS.off, failures: FAILURES_MIN },
  });
}

/** The answers that mean too much, rather than wrong. */
function slowsDown({ status }: Attempt): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

/** Up to a fifth earlier than listed, so that what failed together does not come back together; null after the last. */
export function nextAttempt(
  attempts: number,
  { failure, retryAt }: Pick<Attempt, "failure" | "retryAt">,
): Date | null {
  const seconds = env().WEBHOOK_RETRY_SECONDS[attempts];
  if (failure === null || seconds === undefined) return null;
  const usual = fromNow(seconds * SECOND * (1 - Math.random() / 5));
  return retryAt && retryAt > usual ? retryAt : usual;
}

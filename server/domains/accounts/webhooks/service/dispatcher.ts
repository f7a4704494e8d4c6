import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { isWorkerStopping } from "@/server/infrastructure/jobs/stopping";
import { FAILING_DAYS, FAILURES_MIN } from "../policy";
import { type ClaimedDelivery, claimDueDeliveries, findNextDue, finishAttempt } from "../statements";
import { type Attempt, send, TIMEOUTS } from "./send";

/** Maximum number of concurrent attempts; they occupy one job of the worker. */
const CONCURRENCY = 50;
/** Polling interval of a busy dispatcher, in milliseconds. */
const POLL_INTERVAL = 200;
/** Maximum run time, so that the job does not seem lost. */
const RUN_MAX = MINUTE;

/** Serialises the dispatchers of all processes. */
const QUEUE = "webhooks";

export async function wakeDispatcher(work: Pick<DbAccess, "sql">): Promise<void> {
  await addJob(work, "pump_webhooks", {}, { key: "webhooks:now", queue: QUEUE });
}

/**
 * Sends due deliveries until none is left, then schedules the next run. After a crash, claims expire and the
 * same events are sent again with the same id.
 */
export async function dispatchDeliveries(): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  const until = Date.now() + RUN_MAX;
  while (Date.now() < until && !isWorkerStopping()) {
    const room = CONCURRENCY - inProgress.size;
    const claimed = room > 0 ? await claimDueDeliveries(withoutTransaction(), { limit: room }) : [];
    for (const each of claimed) {
      const work: Promise<void> = deliver(each)
        .catch((error: Error) =>
          log.error({ event: "webhooks.delivery_failed", delivery: each.id, reason: error.message }),
        )
        .finally(() => inProgress.delete(work));
      inProgress.add(work);
    }
    if (inProgress.size === 0) break;
    await halfOf(inProgress);
  }
  await Promise.all(inProgress);
  await wakeLater();
}

/** Resolves when half of the attempts have ended, so that one claim takes several, or at the next poll. */
function halfOf(inProgress: ReadonlySet<Promise<void>>): Promise<void> {
  let remaining = Math.ceil(inProgress.size / 2);
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_INTERVAL);
    for (const each of inProgress)
      void each.then(() => {
        if (--remaining > 0) return;
        clearTimeout(timer);
        resolve();
      });
  });
}

async function wakeLater(): Promise<void> {
  const [next] = await findNextDue(withoutTransaction());
  if (!next?.at) return;
  // The expiry of another process's claim may have passed.
  const runAt = new Date(Math.max(next.at.getTime(), Date.now() + POLL_INTERVAL));
  await addJob(withoutTransaction(), "pump_webhooks", {}, { key: "webhooks:later", queue: QUEUE, runAt });
}

/** Wakes the dispatcher for due deliveries after a lost job or the activation of an account. */
export async function wakeDispatcherIfDue(): Promise<void> {
  const [next] = await findNextDue(withoutTransaction());
  if (next?.at && next.at <= new Date()) await wakeDispatcher(withoutTransaction());
}

async function deliver(claimed: ClaimedDelivery): Promise<void> {
  const attempt = await send(claimed, TIMEOUTS.delivery);
  await finishAttempt(withoutTransaction(), {
    id: claimed.id,
    endpointId: claimed.endpointId,
    url: claimed.url,
    attempts: claimed.attempts,
    status: attempt.status,
    failure: attempt.failure,
    duration: attempt.duration,
    nextAt: nextAttempt(claimed.attempts, attempt),
    pausedUntil: isOverloaded(attempt) ? attempt.retryAt : null,
    gone: attempt.status === 410,
    limits: { notifyDays: FAILING_DAYS.notify, offDays: FAILING_DAYS.off, failures: FAILURES_MIN },
  });
}

function isOverloaded({ status }: Attempt): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

/** Returns the time of the next attempt, with up to 20% negative jitter; null after the last attempt. */
export function nextAttempt(
  attempts: number,
  { failure, retryAt }: Pick<Attempt, "failure" | "retryAt">,
): Date | null {
  const seconds = env().WEBHOOK_RETRY_SECONDS[attempts];
  if (failure === null || seconds === undefined) return null;
  const scheduled = fromNow(seconds * SECOND * (1 - Math.random() / 5));
  return retryAt && retryAt > scheduled ? retryAt : scheduled;
}

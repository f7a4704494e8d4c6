import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { isWorkerStopping } from "@/server/infrastructure/jobs/worker-stopping";
import { FAILING_DAYS, MIN_FAILURES_TO_DISABLE } from "../policy";
import { type ClaimedDelivery, claimDueDeliveries, findNextDueTime, recordAttempt } from "../statements";
import { type Attempt, sendAttempt, TIMEOUTS_MS } from "./send";

/** Maximum number of concurrent attempts. All of them run in one job of the worker. */
const CONCURRENCY = 50;
const POLL_INTERVAL_MS = 200;
/** Maximum run time: a longer job would be treated as lost. */
const MAX_RUN_MS = MINUTE;

const DISPATCHER_QUEUE = "webhooks";

export async function wakeDispatcher(access: Pick<DbAccess, "sql">): Promise<void> {
  await addJob(access, "pump_webhooks", {}, { key: "webhooks:now", queue: DISPATCHER_QUEUE });
}

/** Sends due deliveries. After a crash, claims expire and the same events are sent again with the same id. */
export async function dispatchDeliveries(): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  const deadline = Date.now() + MAX_RUN_MS;
  while (Date.now() < deadline && !isWorkerStopping()) {
    const freeSlots = CONCURRENCY - inProgress.size;
    const claimedDeliveries =
      freeSlots > 0 ? await claimDueDeliveries(withoutTransaction(), { limit: freeSlots }) : [];
    for (const delivery of claimedDeliveries) {
      const attempt: Promise<void> = attemptDelivery(delivery)
        .catch((error: Error) =>
          log.error({ event: "webhooks.delivery_failed", delivery: delivery.id, reason: error.message }),
        )
        .finally(() => inProgress.delete(attempt));
      inProgress.add(attempt);
    }
    if (inProgress.size === 0) break;
    await waitForHalf(inProgress);
  }
  await Promise.all(inProgress);
  await scheduleNextRun();
}

/** Resolves at the next poll, or when half of the attempts have ended, so that a claim takes several. */
function waitForHalf(inProgress: ReadonlySet<Promise<void>>): Promise<void> {
  let remainingCount = Math.ceil(inProgress.size / 2);
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_INTERVAL_MS);
    for (const attempt of inProgress)
      void attempt.then(() => {
        if (--remainingCount > 0) return;
        clearTimeout(timer);
        resolve();
      });
  });
}

async function scheduleNextRun(): Promise<void> {
  const [nextDue] = await findNextDueTime(withoutTransaction());
  if (!nextDue?.at) return;
  // Never schedule in the past: another process's claim may have expired.
  const runAt = new Date(Math.max(nextDue.at.getTime(), Date.now() + POLL_INTERVAL_MS));
  await addJob(
    withoutTransaction(),
    "pump_webhooks",
    {},
    { key: "webhooks:later", queue: DISPATCHER_QUEUE, runAt },
  );
}

/** Wakes the dispatcher if deliveries are due: after a lost job, or when an account was activated again. */
export async function wakeDispatcherIfDue(): Promise<void> {
  const [nextDue] = await findNextDueTime(withoutTransaction());
  if (nextDue?.at && nextDue.at <= new Date()) await wakeDispatcher(withoutTransaction());
}

async function attemptDelivery(delivery: ClaimedDelivery): Promise<void> {
  const attempt = await sendAttempt(delivery, TIMEOUTS_MS.delivery);
  await recordAttempt(withoutTransaction(), {
    deliveryId: delivery.id,
    endpointId: delivery.endpointId,
    url: delivery.url,
    attemptCount: delivery.attempts,
    status: attempt.status,
    failure: attempt.failure,
    durationMs: attempt.durationMs,
    nextAt: getNextAttemptAt(delivery.attempts, attempt),
    pausedUntil: isOverloaded(attempt) ? attempt.retryAt : null,
    isGone: attempt.status === 410,
    limits: {
      notifyDays: FAILING_DAYS.notify,
      disableDays: FAILING_DAYS.disable,
      minFailures: MIN_FAILURES_TO_DISABLE,
    },
  });
}

function isOverloaded({ status }: Attempt): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

/** Returns the time of the next attempt, with up to 20% negative jitter; null after the last attempt. */
export function getNextAttemptAt(
  attemptCount: number,
  { failure, retryAt }: Pick<Attempt, "failure" | "retryAt">,
): Date | null {
  const seconds = env().WEBHOOK_RETRY_SECONDS[attemptCount];
  if (failure === null || seconds === undefined) return null;
  const scheduledAt = fromNow(seconds * SECOND * (1 - Math.random() / 5));
  return retryAt && retryAt > scheduledAt ? retryAt : scheduledAt;
}

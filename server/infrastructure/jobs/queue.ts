import * as z from "zod";
import type { JobName, PayloadOf } from "@/server/core/domain";
import { statement } from "@/server/infrastructure/database/statement";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { getTraceparent } from "@/server/infrastructure/tracing/trace";

/** Key of a job's payload for the trace that it continues. */
export const TRACEPARENT_KEY = "traceparent";

interface NewJob {
  name: string;
  payload: string;
  runAt: Date;
  key: string | null;
  queue: string | null;
}

const insertJob = statement(z.strictObject({ added: z.int() }))<NewJob>`
  select 1 as added from graphile_worker.add_job(
    ${(job) => job.name}::text, ${(job) => job.payload}::json, run_at => ${(job) => job.runAt}::timestamptz,
    job_key => ${(job) => job.key}::text, queue_name => ${(job) => job.queue}::text)`;

export function toPayloadJson(payload?: object): string {
  const traceParent = getTraceparent();
  return JSON.stringify(traceParent ? { ...payload, [TRACEPARENT_KEY]: traceParent } : payload);
}

/** Adds a job in the caller's transaction. Jobs of one `queue` run one at a time over all processes. */
export async function addJob<Name extends JobName>(
  { sql }: Pick<DbAccess, "sql">,
  name: Name,
  payload: PayloadOf<Name>,
  { runAt, key, queue }: { runAt?: Date; key?: string; queue?: string } = {},
): Promise<void> {
  await insertJob.sendWithoutWaiting(
    { sql },
    {
      name,
      payload: toPayloadJson(payload),
      runAt: runAt ?? new Date(),
      key: key ?? null,
      queue: queue ?? null,
    },
  );
}

import * as z from "zod";
import type { JobName, PayloadOf } from "@/server/core/domain";
import { statement } from "@/server/infrastructure/database/statement";
import type { Work } from "@/server/infrastructure/database/transaction";
import { traceparent } from "@/server/infrastructure/tracing/trace";

/** Beside what a job works on, the trace that it continues. */
export const CAUSE = "traceparent";

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

/** The payload of a job, with the trace that it continues when there is one. */
export function payloadOf(payload?: object): string {
  const cause = traceparent();
  return JSON.stringify(cause ? { ...payload, [CAUSE]: cause } : payload);
}

/**
 * Adds a job within the caller's transaction: it runs if and only if that transaction is committed. Jobs of one `queue`
 * run one after the other, over all processes.
 */
export async function addJob<N extends JobName>(
  { sql }: Pick<Work, "sql">,
  name: N,
  payload: PayloadOf<N>,
  { runAt, key, queue }: { runAt?: Date; key?: string; queue?: string } = {},
): Promise<void> {
  await insertJob.later(
    { sql },
    {
      name,
      payload: payloadOf(payload),
      runAt: runAt ?? new Date(),
      key: key ?? null,
      queue: queue ?? null,
    },
  );
}

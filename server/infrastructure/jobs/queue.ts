import type { JobName, PayloadOf } from "@/server/core/domain";
import type { Work } from "@/server/infrastructure/database/transaction";
import { traceparent } from "@/server/infrastructure/tracing/trace";

/** Beside what a job works on, the trace that it continues. */
export const CAUSE = "traceparent";

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
  const cause = traceparent();
  const given = cause ? { ...payload, [CAUSE]: cause } : payload;
  await sql`select 1 from graphile_worker.add_job(
    ${name}::text, ${JSON.stringify(given)}::json, run_at => ${runAt ?? new Date()}::timestamptz, job_key => ${key ?? null}::text,
    queue_name => ${queue ?? null}::text)`;
}

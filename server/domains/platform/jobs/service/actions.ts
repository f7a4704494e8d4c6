import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import type { JobName } from "@/server/core/domain";
import { createError, createNotFoundError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { giveUpJob, retryJob, runTask } from "../contract";
import { findJobState, giveUpJobNow, retryJobNow } from "../statements";
import { listRecurringJobs } from "./list";

export async function retryFailedJob(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof retryJob>,
): Promise<Output<typeof retryJob>> {
  requireAdministrator(ctx.actor);
  await withTransaction(ctx, async (tx) => {
    const [job] = await retryJobNow(tx, { id });
    if (!job) throw await buildRefusalError(tx, id);
    await audit(tx, { action: "job.retried", details: { job: id, task: job.task } });
  });
  return buildSuccess(ctx, "job_retried");
}

export async function giveUpFailedJob(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof giveUpJob>,
): Promise<Output<typeof giveUpJob>> {
  requireAdministrator(ctx.actor);
  await withTransaction(ctx, async (tx) => {
    const [job] = await giveUpJobNow(tx, { id });
    if (!job) throw await buildRefusalError(tx, id);
    await audit(tx, { action: "job.given_up", details: { job: id, task: job.task } });
  });
  return buildSuccess(ctx, "job_given_up");
}

async function buildRefusalError(tx: Context, id: number) {
  const [job] = await findJobState(tx, { id });
  if (!job) return createNotFoundError("Job", id);
  if (job.state === "waiting") return createError("job_waits");
  // In any other state, a worker held the job during the update.
  return createError(job.state === "given_up" ? "job_given_up" : "job_running");
}

export async function runRecurringTask(
  ctx: Context<UserActor>,
  { body: { task } }: Input<typeof runTask>,
): Promise<Output<typeof runTask>> {
  requireAdministrator(ctx.actor);
  if (!listRecurringJobs().some((each) => each.task === task)) throw createError("job_unknown");
  await withTransaction(ctx, async (tx) => {
    await addJob(tx, task as JobName, {} as never, { key: `run_now:${task}` });
    await audit(tx, { action: "job.run", details: { task } });
  });
  return buildSuccess(ctx, "job_begun");
}

function buildSuccess({ locale }: Context, messageKey: string) {
  return { success: true as const, message: formatText(locale, `responses.${messageKey}`) };
}

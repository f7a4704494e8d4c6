import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { type FailedWork, getRegisteredDomains } from "@/server/core/domain";
import { createError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { type listFailedWork, RETRIED_ITEMS_MAX, type retryFailedWork } from "../contract";
import { redactError } from "../dto";
import { retryGivenUpJobs, summarizeGivenUpJobs } from "../statements";

export const failedJobs: FailedWork = {
  page: "/admin/jobs?state=given_up",
  inspect: async (tx) => (await summarizeGivenUpJobs(tx))[0]!,
  retry: async (tx, limit) => (await retryGivenUpJobs(tx, { limit })).length,
};

function listFailedWorkKinds(): Array<[string, FailedWork]> {
  return getRegisteredDomains().flatMap(({ failedWork = {} }) => Object.entries(failedWork));
}

export async function listAllFailedWork(ctx: Context<UserActor>): Promise<Output<typeof listFailedWork>> {
  requireAdministrator(ctx.actor);
  const summaries = await Promise.all(
    listFailedWorkKinds().map(async ([kind, { inspect, page, retry }]) => {
      const { count, since, error } = await inspect(ctx);
      return {
        ...{ kind, count, since: toIsoMicros(since), last_error: redactError(error) },
        ...{ page: page ?? null, retryable: retry !== undefined },
      };
    }),
  );
  const data = summaries.filter(({ count }) => count > 0);
  return { success: true, data, count: data.length };
}

export async function retryFailedWorkOfKind(
  ctx: Context<UserActor>,
  { body: { kind } }: Input<typeof retryFailedWork>,
): Promise<Output<typeof retryFailedWork>> {
  requireAdministrator(ctx.actor);
  const retry = listFailedWorkKinds().find(([name]) => name === kind)?.[1].retry;
  if (!retry) throw createError("work_not_retried");
  const count = await withTransaction(ctx, async (tx) => {
    const retriedCount = await retry(tx, RETRIED_ITEMS_MAX);
    await audit(tx, { action: "work.retried", details: { kind, count: retriedCount } });
    return retriedCount;
  });
  return { success: true, message: formatText(ctx.locale, "responses.work_retried", { count }), count };
}

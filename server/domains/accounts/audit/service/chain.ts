import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { checkAuditChain, getAuditChain } from "../contract";
import { findLastCheck } from "./last-check";

export async function getChainState(ctx: Context<UserActor>): Promise<Output<typeof getAuditChain>> {
  requireAdministrator(ctx.actor);
  const [lastSeal, lastCheck] = await Promise.all([
    ctx.db.auditSeal.findFirst({ orderBy: { id: "desc" }, select: { at: true, hash: true } }),
    findLastCheck(ctx),
  ]);
  return {
    success: true,
    chain: {
      sealed_until: lastSeal && toIsoMicros(lastSeal.at),
      head: lastSeal && Buffer.from(lastSeal.hash).toString("hex"),
      checked: lastCheck ? { ...lastCheck, at: toIsoMicros(lastCheck.at) } : null,
    },
  };
}

/** Queues a verification; a queued one is not duplicated. */
export async function queueChainCheck(ctx: Context<UserActor>): Promise<Output<typeof checkAuditChain>> {
  requireAdministrator(ctx.actor);
  await addJob(ctx, "check_audit", {}, { key: "check_audit" });
  return { success: true, message: formatText(ctx.locale, "responses.audit_check_begun") };
}

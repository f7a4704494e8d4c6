import { ulid } from "ulid";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { consumePointOrThrow, type RateLimitCounter } from "@/server/infrastructure/rate-limit/limiter";
import { EXPORTS_PER_DAY, type getExport, type requestExport } from "../contract";
import { EXPORT_SELECT, type ExportRow, toExportOutput } from "../dto";

const DAILY_EXPORT_LIMIT: RateLimitCounter = {
  name: "data_export",
  points: EXPORTS_PER_DAY,
  per: 86_400,
  durable: true,
};

export async function requestOrReuseExport(ctx: Context<UserActor>): Promise<Output<typeof requestExport>> {
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  await requireProof(ctx);
  const previousExport = await findLatestExport(ctx, ctx.actor.id);
  if (previousExport && isUnfinished(previousExport)) return toRequestOutput(ctx, previousExport);
  await consumePointOrThrow(DAILY_EXPORT_LIMIT, `u${ctx.actor.id}`);
  return withLockedOwnAccount(ctx, async (tx) => {
    // Repeat under the lock: a concurrent request may have created one.
    const latestExport = await findLatestExport(tx, ctx.actor.id);
    if (latestExport && isUnfinished(latestExport)) return toRequestOutput(ctx, latestExport);
    const row = await tx.db.dataExport.create({
      data: { id: ulid(), userId: ctx.actor.id },
      select: EXPORT_SELECT,
    });
    await addJob(
      tx,
      "make_data_export",
      { exportId: row.id, locale: ctx.locale },
      { key: `export:${row.id}` },
    );
    await audit(tx, { action: "data_export.requested", object: { type: "User", id: ctx.actor.id } });
    return toRequestOutput(ctx, row);
  });
}

export async function getLatestExport(ctx: Context<UserActor>): Promise<Output<typeof getExport>> {
  const row = await findLatestExport(ctx, ctx.actor.id);
  const output = row ? toExportOutput(row) : null;
  return { success: true, export: output, data: output };
}

function findLatestExport({ db }: Pick<DbAccess, "db">, userId: number): Promise<ExportRow | null> {
  return db.dataExport.findFirst({ where: { userId }, orderBy: { id: "desc" }, select: EXPORT_SELECT });
}

function isUnfinished({ state }: ExportRow): boolean {
  return state === "queued" || state === "running";
}

function toRequestOutput(ctx: Context<UserActor>, row: ExportRow): Output<typeof requestExport> {
  const output = toExportOutput(row);
  return {
    success: true,
    message: formatText(ctx.locale, "responses.export_requested"),
    export: output,
    data: output,
  };
}

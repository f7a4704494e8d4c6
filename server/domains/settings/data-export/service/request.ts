import { ulid } from "ulid";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { type Counter, requirePoint } from "@/server/infrastructure/rate-limit/limiter";
import { EXPORTS_A_DAY, type getExport, type requestExport } from "../contract";
import { EXPORT, type ExportRow, exportOf } from "../dto";

const A_DAY: Counter = { name: "data_export", points: EXPORTS_A_DAY, per: 86_400, durable: true };

/** Queues an export, or returns the one in progress. */
export async function request(ctx: Context<UserActor>): Promise<Output<typeof requestExport>> {
  if (!ctx.actor.emailVerified) throw refuse("email_needs_verification");
  await requireProof(ctx);
  const open = await newest(ctx, ctx.actor.id);
  if (open && isOpen(open)) return outputOf(ctx, open);
  await requirePoint(A_DAY, `u${ctx.actor.id}`);
  return withOwnAccount(ctx, async (tx) => {
    // Repeat under the lock: a concurrent request may have created one.
    const current = await newest(tx, ctx.actor.id);
    if (current && isOpen(current)) return outputOf(ctx, current);
    const row = await tx.db.dataExport.create({
      data: { id: ulid(), userId: ctx.actor.id },
      select: EXPORT,
    });
    await addJob(
      tx,
      "make_data_export",
      { exportId: row.id, locale: ctx.locale },
      { key: `export:${row.id}` },
    );
    await audit(tx, { action: "data_export.requested", object: { type: "User", id: ctx.actor.id } });
    return outputOf(ctx, row);
  });
}

export async function get(ctx: Context<UserActor>): Promise<Output<typeof getExport>> {
  const row = await newest(ctx, ctx.actor.id);
  const output = row ? exportOf(row) : null;
  return { success: true, export: output, data: output };
}

function newest({ db }: Pick<DbAccess, "db">, userId: number): Promise<ExportRow | null> {
  return db.dataExport.findFirst({ where: { userId }, orderBy: { id: "desc" }, select: EXPORT });
}

function isOpen({ state }: ExportRow): boolean {
  return state === "queued" || state === "running";
}

function outputOf(ctx: Context<UserActor>, row: ExportRow): Output<typeof requestExport> {
  const output = exportOf(row);
  return {
    success: true,
    message: text(ctx.locale, "responses.export_requested"),
    export: output,
    data: output,
  };
}

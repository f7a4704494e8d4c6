import { ulid } from "ulid";
import type { Context, UserActor } from "@/server/core/context";
import type { Answer } from "@/server/core/contract";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { requireProof } from "@/server/domains/tokens/service/tokens";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { type Counter, requirePoint } from "@/server/infrastructure/rate-limit/limiter";
import { EXPORTS_A_DAY, type getExport, type requestExport } from "../contract";

const A_DAY: Counter = { name: "data_export", points: EXPORTS_A_DAY, per: 86_400, durable: true };

interface ExportRow {
  id: string;
  state: "queued" | "running" | "ready" | "failed";
  progress: number;
  size: number | null;
  created_at: Date;
  ready_at: Date | null;
  expires_at: Date | null;
}

function exportOf({ created_at, ready_at, expires_at, ...row }: ExportRow) {
  const over = expires_at !== null && expires_at.getTime() <= Date.now();
  return {
    ...row,
    state: over ? ("expired" as const) : row.state,
    created_at: isoMicros(created_at),
    ready_at: ready_at && isoMicros(ready_at),
    expires_at: expires_at && isoMicros(expires_at),
  };
}

/** Asks for a copy of everything. Throws `identity_unproven`, and `too_many_requests` beyond three a day. */
export async function request(ctx: Context<UserActor>): Promise<Answer<typeof requestExport>> {
  await requireProof(ctx);
  const open = await newest(ctx, ctx.actor.id);
  if (open && isOpen(open)) return told(ctx, open);
  await requirePoint(A_DAY, `u${ctx.actor.id}`);
  return withTransaction(ctx, async (tx) => {
    // Two requests at once: the second finds what the first began.
    await tx.sql`select 1 from users where id = ${ctx.actor.id} for no key update`;
    const begun = await newest(tx, ctx.actor.id);
    if (begun && isOpen(begun)) return told(ctx, begun);
    const [row] = await tx.sql<ExportRow>`
      insert into data_exports (id, user_id) values (${ulid()}, ${ctx.actor.id})
      returning id, state, progress, size, created_at, ready_at, expires_at`;
    await addJob(
      tx,
      "make_data_export",
      { exportId: row!.id, locale: ctx.locale },
      { key: `export:${row!.id}` },
    );
    await audit(tx, { action: "data_export.requested", object: { type: "User", id: ctx.actor.id } });
    return told(ctx, row!);
  });
}

/** How the newest export is doing. */
export async function state({ sql, actor }: Context<UserActor>): Promise<Answer<typeof getExport>> {
  const row = await newest({ sql }, actor.id);
  const found = row ? exportOf(row) : null;
  return { success: true, export: found, data: found };
}

async function newest({ sql }: Pick<Work, "sql">, userId: number): Promise<ExportRow | undefined> {
  const [row] = await sql<ExportRow>`
    select id, state, progress, size, created_at, ready_at, expires_at
      from data_exports where user_id = ${userId} order by id desc limit 1`;
  return row;
}

function isOpen({ state }: ExportRow): boolean {
  return state === "queued" || state === "running";
}

function told(ctx: Context<UserActor>, row: ExportRow): Answer<typeof requestExport> {
  const found = exportOf(row);
  return { success: true, message: text(ctx.locale, "answers.export_requested"), export: found, data: found };
}

import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { FileOutput, Input } from "@/server/core/contract";
import { csvFile } from "@/server/core/csv";
import { orderOf } from "@/server/core/list";
import { maskContacts } from "@/server/core/mask";
import { isoMicros } from "@/server/core/time";
import type { downloadAudit } from "../contract";
import { ENTRY, summaryOf } from "../dto";
import { buildAuditFilter, loadPeople } from "./list";

const COLUMNS = [
  ...["id", "at", "action", "summary", "actor_id", "actor", "on_behalf_of_id", "object_type", "object_id"],
  ...["details", "before", "after", "ip", "request_id"],
];

const BATCH = 1000;

/** Streams matching entries as CSV, masked. Administrators only. */
export async function download(
  ctx: Context<UserActor>,
  { query }: Input<typeof downloadAudit>,
): Promise<FileOutput> {
  requireAdministrator(ctx.actor);
  const where = await buildAuditFilter(ctx, query);
  const { direction } = orderOf(query.sort ?? "-at");
  return csvFile(csvRows(ctx, where, direction), { name: "audit.csv", columns: COLUMNS, locale: ctx.locale });
}

async function* csvRows(
  ctx: Context,
  where: Awaited<ReturnType<typeof buildAuditFilter>>,
  direction: "asc" | "desc",
): AsyncGenerator<Record<string, unknown>> {
  for (let last: bigint | undefined; ; ) {
    const afterLast = last === undefined ? {} : { id: direction === "asc" ? { gt: last } : { lt: last } };
    const rows = await ctx.db.auditEvent.findMany({
      where: { AND: [where, afterLast] },
      orderBy: { id: direction },
      take: BATCH,
      select: ENTRY,
    });
    const people = await loadPeople(ctx, rows);
    for (const row of rows)
      yield {
        id: row.id.toString(),
        at: isoMicros(row.at),
        action: row.action,
        summary: summaryOf(row.action, ctx.locale),
        actor_id: row.actorId,
        actor: maskContacts(people(row.actorId)?.name ?? null, []),
        on_behalf_of_id: row.onBehalfOf,
        object_type: row.objectType,
        object_id: row.objectId,
        details: masked(row.details),
        before: masked(row.before),
        after: masked(row.after),
        ip: maskAddress(row.ip),
        request_id: row.requestId,
      };
    if (rows.length < BATCH) return;
    last = rows.at(-1)!.id;
  }
}

const masked = (facts: unknown) => (facts === null ? null : JSON.stringify(maskContacts(facts, [])));

/** Masks the host part of an IP address: `203.0.113.…`. */
function maskAddress(ip: string | null): string | null {
  if (!ip) return null;
  return ip.includes(":") ? `${ip.split(":").slice(0, 3).join(":")}:…` : ip.replace(/(?<!\d)\d+$/, "…");
}

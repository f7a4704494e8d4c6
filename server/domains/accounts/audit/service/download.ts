import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { FileOutput, Input } from "@/server/core/contract";
import { createCsvFile } from "@/server/core/csv";
import { parseSort } from "@/server/core/list";
import { maskContacts } from "@/server/core/mask";
import { toIsoMicros } from "@/server/core/time";
import type { downloadAudit } from "../contract";
import { describeAction, ENTRY_COLUMNS } from "../dto";
import { buildAuditFilter, loadPersonLookup } from "./list";

const CSV_COLUMNS = [
  ...["id", "at", "action", "summary", "actor_id", "actor", "on_behalf_of_id", "object_type", "object_id"],
  ...["details", "before", "after", "ip", "request_id"],
];

const BATCH_SIZE = 1000;

export async function downloadEntries(
  ctx: Context<UserActor>,
  { query }: Input<typeof downloadAudit>,
): Promise<FileOutput> {
  requireAdministrator(ctx.actor);
  const where = await buildAuditFilter(ctx, query);
  const { direction } = parseSort(query.sort ?? "-at");
  return createCsvFile(generateCsvRows(ctx, where, direction), {
    name: "audit.csv",
    columns: CSV_COLUMNS,
    locale: ctx.locale,
  });
}

async function* generateCsvRows(
  ctx: Context,
  where: Awaited<ReturnType<typeof buildAuditFilter>>,
  direction: "asc" | "desc",
): AsyncGenerator<Record<string, unknown>> {
  for (let lastId: bigint | undefined; ; ) {
    const pageCondition =
      lastId === undefined ? {} : { id: direction === "asc" ? { gt: lastId } : { lt: lastId } };
    const rows = await ctx.db.auditEvent.findMany({
      where: { AND: [where, pageCondition] },
      orderBy: { id: direction },
      take: BATCH_SIZE,
      select: ENTRY_COLUMNS,
    });
    const findPerson = await loadPersonLookup(ctx, rows);
    for (const row of rows)
      yield {
        id: row.id.toString(),
        at: toIsoMicros(row.at),
        action: row.action,
        summary: describeAction(row.action, ctx.locale),
        actor_id: row.actorId,
        actor: maskContacts(findPerson(row.actorId)?.name ?? null, []),
        on_behalf_of_id: row.onBehalfOf,
        object_type: row.objectType,
        object_id: row.objectId,
        details: maskFacts(row.details),
        before: maskFacts(row.before),
        after: maskFacts(row.after),
        ip: maskIpAddress(row.ip),
        request_id: row.requestId,
      };
    if (rows.length < BATCH_SIZE) return;
    lastId = rows.at(-1)!.id;
  }
}

const maskFacts = (facts: unknown) => (facts === null ? null : JSON.stringify(maskContacts(facts, [])));

function maskIpAddress(ip: string | null): string | null {
  if (!ip) return null;
  return ip.includes(":") ? `${ip.split(":").slice(0, 3).join(":")}:…` : ip.replace(/(?<!\d)\d+$/, "…");
}

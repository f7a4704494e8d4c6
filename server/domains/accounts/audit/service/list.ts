import { getEndOfDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { getRegisteredDomains } from "@/server/core/domain";
import { parsePage, parseSort } from "@/server/core/list";
import { normaliseEmail } from "@/server/core/normalise";
import { MAX_ID, toEmailKey } from "@/server/core/schema";
import { MINUTE, toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { type downloadAudit, type listAudit, MAX_LISTED_ENTRIES } from "../contract";
import { describeAction, ENTRY_COLUMNS, flattenDetails } from "../dto";

type Entry = Output<typeof listAudit>["data"][number];
type Person = NonNullable<Entry["actor"]>;

export async function listEntries(
  ctx: Context<UserActor>,
  { query }: Input<typeof listAudit>,
): Promise<Output<typeof listAudit>> {
  requireAdministrator(ctx.actor);
  const { range, ...page } = parsePage(query);
  const where = await buildAuditFilter(ctx, query);
  const { direction } = parseSort(query.sort ?? "-at");
  const take = Math.max(0, Math.min(range.take, MAX_LISTED_ENTRIES - range.skip));
  const [total, entries] = await Promise.all([
    ctx.db.auditEvent.count({ where, take: MAX_LISTED_ENTRIES }),
    take > 0
      ? ctx.db.auditEvent.findMany({
          where,
          orderBy: { id: direction },
          skip: range.skip,
          take,
          select: ENTRY_COLUMNS,
        })
      : [],
  ]);
  const findPerson = await loadPersonLookup(ctx, entries);
  const data = entries.map((row) => ({
    id: Number(row.id),
    at: toIsoMicros(row.at),
    action: row.action,
    summary: describeAction(row.action, ctx.locale),
    actor: findPerson(row.actorId),
    on_behalf_of: findPerson(row.onBehalfOf),
    object_type: row.objectType,
    object_id: row.objectId,
    object: findPerson(getAffectedAccountId(row)),
    details: flattenDetails(row.details),
    before: flattenDetails(row.before),
    after: flattenDetails(row.after),
    ip: row.ip,
    user_agent: row.userAgent,
    request_id: row.requestId,
  }));
  return { data, meta: { ...page, total } };
}

type Filter = Input<typeof downloadAudit>["query"];

export async function buildAuditFilter(
  ctx: Pick<Context, "db">,
  { q, ip, request_id: requestId, on_behalf_of: onBehalfOf, from, to }: Filter,
): Promise<Prisma.AuditEventWhereInput> {
  const wordFilters = await Promise.all(splitWords(q).map((word) => buildWordFilter(ctx, word)));
  return {
    ...(ip && { ip }),
    ...(requestId && { requestId }),
    ...(onBehalfOf && { onBehalfOf }),
    AND: [...wordFilters, await buildDayFilter(ctx, { from, to })],
  };
}

/** No transaction lasts longer. An entry's time is the start of its transaction; it gets its ID later. */
const MAX_TRANSACTION_MS = 10 * MINUTE;

/** Filters by day, and by an ID range, so that PostgreSQL can use the index by which the query is ordered. */
async function buildDayFilter(
  { db }: Pick<Context, "db">,
  { from, to }: Pick<Filter, "from" | "to">,
): Promise<Prisma.AuditEventWhereInput> {
  const periodStart = from ? getEndOfDay(from, { plusDays: -1 }) : undefined;
  const periodEnd = to ? getEndOfDay(to, { plusDays: 0 }) : undefined;
  const select = { id: true } as const;
  const [lastEntryBefore, firstEntryAfter] = await Promise.all([
    periodStart &&
      db.auditEvent.findFirst({
        where: { at: { lt: new Date(periodStart.getTime() - MAX_TRANSACTION_MS) } },
        orderBy: { at: "desc" },
        select,
      }),
    periodEnd &&
      db.auditEvent.findFirst({
        where: { at: { gt: new Date(periodEnd.getTime() + MAX_TRANSACTION_MS) } },
        orderBy: { at: "asc" },
        select,
      }),
  ]);
  return {
    at: { gt: periodStart, lte: periodEnd },
    id: { gt: lastEntryBefore?.id, lt: firstEntryAfter?.id },
  };
}

const splitWords = (q: string | null | undefined) => (q ?? "").split(/\s+/).filter(Boolean).slice(0, 5);

/** Matches an account (ID or email address) or part of an action's name. Both use an index. */
async function buildWordFilter(
  ctx: Pick<Context, "db">,
  typedWord: string,
): Promise<Prisma.AuditEventWhereInput> {
  const word = normaliseEmail(typedWord);
  const buildAccountConditions = (ids: number[]) => [
    { actorId: { in: ids } },
    { objectType: "User", objectId: { in: ids.map(String) } },
  ];
  if (word.includes("@")) {
    const where = { emailKey: toEmailKey(word) };
    const user = await ctx.db.user.findUnique({ where, select: { id: true } });
    return { OR: buildAccountConditions(user ? [user.id] : []) };
  }
  const accountId = /^[1-9]\d{0,9}$/.test(word) ? Number(word) : 0;
  if (accountId > 0 && accountId <= MAX_ID) return { OR: buildAccountConditions([accountId]) };
  const actions = getRegisteredDomains().flatMap(({ audit = [] }) =>
    audit.filter((action) => action.includes(word)),
  );
  return { action: { in: actions } };
}

interface Row {
  actorId: number | null;
  onBehalfOf: number | null;
  objectType: string | null;
  objectId: string | null;
}

function getAffectedAccountId({ objectType, objectId }: Row): number | null {
  return objectType === "User" && objectId !== null ? Number(objectId) : null;
}

export async function loadPersonLookup(
  { db }: Pick<Context, "db">,
  rows: Row[],
): Promise<(id: number | null) => Person | null> {
  const ids = rows.flatMap((row) => [row.actorId, row.onBehalfOf, getAffectedAccountId(row)]);
  const users = await db.user.findMany({
    where: { id: { in: [...new Set(ids.filter((id) => id !== null))] }, anonymisedAt: null },
    select: { id: true, name: true, email: true },
  });
  const personById = new Map<number, Person>(users.map((user) => [user.id, user]));
  return (id) => (id === null ? null : (personById.get(id) ?? { id, name: null, email: null }));
}

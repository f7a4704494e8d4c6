import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import type { listActivity } from "../contract";
import { describeAction, ENTRY_COLUMNS, flattenDetails } from "../dto";
import { buildOwnEntryFilters, findHistoryStart } from "./history";

const DEFAULT_PAGE_SIZE = 50;

export async function listOwnActivity(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof listActivity>,
): Promise<Output<typeof listActivity>> {
  const limit = query.limit ?? DEFAULT_PAGE_SIZE;
  const historyStart = await findHistoryStart({ db }, actor.id);
  const idRange = { gte: historyStart?.id, lt: query.before ? BigInt(query.before) : undefined };
  // One query per index: no index fits all three conditions.
  const entriesByFilter = await Promise.all(
    buildOwnEntryFilters(actor.id).map((filter) =>
      db.auditEvent.findMany({
        where: { ...filter, id: idRange },
        orderBy: { id: "desc" },
        take: limit + 1,
        select: ENTRY_COLUMNS,
      }),
    ),
  );
  const rows = [...new Map(entriesByFilter.flat().map((row) => [row.id, row])).values()].toSorted((a, b) =>
    a.id < b.id ? 1 : -1,
  );
  const activity = rows.slice(0, limit).map((row) => {
    const by = classifyActor(row, actor.id);
    const isOwn = by === "you" || by === "nobody";
    const canShowDevice = isOwn && !actor.impersonation;
    return {
      id: Number(row.id),
      at: toIsoMicros(row.at),
      action: row.action,
      summary: describeAction(row.action, locale),
      by,
      object_type: row.objectType,
      object_id: row.objectId,
      before: isOwn ? flattenDetails(row.before) : null,
      after: isOwn ? flattenDetails(row.after) : null,
      ip: canShowDevice ? row.ip : null,
      user_agent: canShowDevice ? row.userAgent : null,
    };
  });
  return { success: true, data: activity, next: rows.length > limit ? activity.at(-1)!.id : null };
}

/** Actions of callers who proved nothing: sign-ins that did not succeed, and throttled attempts. */
const UNPROVEN_ACTION_PATTERN = /^sign_in\.(?!succeeded)|\.throttled$/;

function classifyActor(
  { actorKind, actorId, action }: { actorKind: string; actorId: number | null; action: string },
  callerId: number,
): Output<typeof listActivity>["data"][number]["by"] {
  if (actorKind === "system") return "platform";
  if (actorKind === "anonymous") return UNPROVEN_ACTION_PATTERN.test(action) ? "nobody" : "you";
  return actorId === callerId ? "you" : "somebody_else";
}

import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import { findHistoryStart } from "@/server/domains/accounts/audit/service/history";
import { HISTORY_MAX, type listSignIns } from "../contract";

type SignIn = Output<typeof listSignIns>["sign_ins"][number];

/** Prefix and outcomes of the audit actions in access/sign-in/domain.ts. */
const ACTION_PREFIX = "sign_in.";
const OUTCOMES: SignIn["outcome"][] = ["succeeded", "failed", "refused"];

/** Hides entries from before the current owner took the account over. */
export async function listSignInHistory({
  actor,
  db,
}: Context<UserActor>): Promise<Output<typeof listSignIns>> {
  const historyStart = await findHistoryStart({ db }, actor.id);
  const rows = await db.auditEvent.findMany({
    where: {
      actorId: actor.id,
      id: { gte: historyStart?.id },
      action: { in: OUTCOMES.map((outcome) => ACTION_PREFIX + outcome) },
    },
    orderBy: { id: "desc" },
    take: HISTORY_MAX,
    select: { at: true, action: true, details: true, ip: true, userAgent: true },
  });
  const entries = rows.map((row) => {
    const { way = null, gate = null } = (row.details ?? {}) as Partial<Pick<SignIn, "way" | "gate">>;
    const outcome = row.action.slice(ACTION_PREFIX.length) as SignIn["outcome"];
    return { at: toIsoMicros(row.at), outcome, way, gate, ip: row.ip, user_agent: row.userAgent };
  });
  return { success: true, sign_ins: entries, data: entries, count: entries.length };
}

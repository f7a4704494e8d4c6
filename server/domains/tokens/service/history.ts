import type { Context, UserActor } from "@/server/core/context";
import type { Answer } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import { HISTORY_MAX, type listSignIns } from "../contract";

interface EventRow {
  at: Date;
  outcome: "succeeded" | "failed" | "refused";
  way: Answer<typeof listSignIns>["sign_ins"][number]["way"];
  gate: string | null;
  ip: string | null;
  user_agent: string | null;
}

/** The caller's last sign-ins and what was tried in the caller's name, newest first. */
export async function history({ actor, sql }: Context<UserActor>): Promise<Answer<typeof listSignIns>> {
  const rows = await sql<EventRow>`
    select at, substring(action from 9) as outcome, details ->> 'way' as way, details ->> 'gate' as gate, ip, user_agent
      from audit_events
     where actor_id = ${actor.id} and action in ('sign_in.succeeded', 'sign_in.failed', 'sign_in.refused')
     order by id desc limit ${HISTORY_MAX}`;
  const entries = rows.map((row) => ({ ...row, at: isoMicros(row.at) }));
  return { success: true, sign_ins: entries, data: entries, count: entries.length };
}

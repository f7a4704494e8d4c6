import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import type { explainGates } from "../contract";
import { findCandidate } from "./candidate";
import { GATES } from "./gates";

type Explained = Output<typeof explainGates>["gates"][number];

/** Who can open each gate. Only the owner can pass the second factor. */
const LIFTED_BY: Record<Explained["gate"], Explained["lifted_by"]> = {
  email_verified: ["owner"],
  account_active: ["parent", "reseller", "administrator"],
  portal: ["reseller"],
  second_factor: ["owner"],
};

/** Checks every gate for an account, as a sign-in would, and writes nothing. Administrators only. */
export async function explain(
  ctx: Context<UserActor>,
  { params, query }: Input<typeof explainGates>,
): Promise<Output<typeof explainGates>> {
  if (ctx.actor.role !== "admin") throw refuse("forbidden");
  const user = await findCandidate(ctx, { id: params.id });
  if (!user) throw refuse("record_not_found", { params: { model: "User", id: params.id } });
  const gates: Explained[] = [];
  for (const gate of ["email_verified", "account_active", "portal"] as const) {
    const refusal = await GATES[gate]({ ...ctx, host: query.host ?? null }, user);
    const reason = refusal ? text(ctx.locale, `errors.${refusal.code}`, refusal.extras.params) : null;
    gates.push(explained(gate, reason));
  }
  const factor = user.has_second_factor ? text(ctx.locale, "responses.second_factor_due") : null;
  gates.push(explained("second_factor", factor));
  const stopped = gates.find(({ open }) => !open);
  return { success: true, user_id: user.id, gates, stopped_by: stopped?.gate ?? null };
}

function explained(gate: Explained["gate"], reason: string | null): Explained {
  return { gate, open: reason === null, reason, lifted_by: reason === null ? [] : LIFTED_BY[gate] };
}

import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { requireAdministrator } from "@/server/domains/accounts/users/service/administrator";
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
  requireAdministrator(ctx.actor);
  const gates = await gatesOf(ctx, params.id, query.host ?? null);
  const stopped = gates.find(({ open }) => !open);
  return { success: true, user_id: params.id, gates, stopped_by: stopped?.gate ?? null };
}

/** What a sign-in would meet, for whoever may know it. Throws `record_not_found`. */
export async function gatesOf(ctx: Context, id: number, host: string | null = null): Promise<Explained[]> {
  const user = await findCandidate(ctx, { id });
  if (!user) throw refuse("record_not_found", { params: { model: "User", id } });
  const gates: Explained[] = [];
  for (const gate of ["email_verified", "account_active", "portal"] as const) {
    const refusal = await GATES[gate]({ ...ctx, host }, user);
    const reason = refusal ? text(ctx.locale, `errors.${refusal.code}`, refusal.extras.params) : null;
    gates.push(explained(gate, reason));
  }
  const factor = user.has_second_factor ? text(ctx.locale, "responses.second_factor_due") : null;
  gates.push(explained("second_factor", factor));
  return gates;
}

function explained(gate: Explained["gate"], reason: string | null): Explained {
  return { gate, open: reason === null, reason, lifted_by: reason === null ? [] : LIFTED_BY[gate] };
}

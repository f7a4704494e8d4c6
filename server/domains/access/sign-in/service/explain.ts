import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { errorText } from "@/server/core/error-text";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { fromNow, isoMicros, SECOND } from "@/server/core/time";
import { secondsUntilCodesAllowed } from "@/server/domains/access/two-factor/service/wrong-codes";
import type { explainAddress, explainGates } from "../contract";
import { type CandidateRow, findCandidate } from "./candidate";
import { GATES } from "./gates";
import { readThrottle } from "./throttle";

type Gate = Output<typeof explainGates>["gates"][number];
type Name = Gate["gate"];
type ForOthers = Omit<Gate, "gate" | "until" | "lift"> & { gate: keyof typeof GATES | "second_factor" };

/** Roles that can open each gate. An administrator can only reset the second factor. */
const LIFTED_BY: Record<Name, Gate["lifted_by"]> = {
  attempts: ["administrator"],
  password: ["owner"],
  email_verified: ["owner"],
  account_active: ["parent", "reseller", "administrator"],
  portal: ["reseller"],
  second_factor: ["owner", "administrator"],
  factor_attempts: ["administrator"],
};

const LIFT: Record<Name, Gate["lift"]> = {
  attempts: "unlock",
  password: "password_mail",
  email_verified: "verification",
  account_active: "activate",
  portal: null,
  second_factor: "reset_two_factor",
  factor_attempts: "unlock",
};

/** Activating an agent does not help while the employer is deactivated. */
const OF_EMPLOYER = {
  lifted_by: ["reseller", "administrator"],
  lift: null,
} satisfies Pick<Gate, "lifted_by" | "lift">;

export async function explain(
  ctx: Context<UserActor>,
  { params: { id }, query }: Input<typeof explainGates>,
): Promise<Output<typeof explainGates>> {
  requireAdministrator(ctx.actor);
  const user = await findCandidate(ctx, { id });
  if (!user) throw refuse("record_not_found", { params: { model: "User", id } });
  return { success: true, user_id: id, ...(await explainAll(ctx, user, query.host)) };
}

const SUPERIOR = { select: { id: true, name: true, isActive: true } } as const;

export async function explainEmail(
  ctx: Context<UserActor>,
  { query: { email, host } }: Input<typeof explainAddress>,
): Promise<Output<typeof explainAddress>> {
  requireAdministrator(ctx.actor);
  const key = emailKey(email);
  const [user, account] = await Promise.all([
    findCandidate(ctx, { key }),
    ctx.db.user.findUnique({
      where: { emailKey: key, anonymisedAt: null },
      select: { parent: SUPERIOR, reseller: SUPERIOR },
    }),
  ]);
  if (!user || !account) return { success: true, found: false, user: null, gates: [], stopped_by: null };
  const { id, name, role, is_agent_only } = user;
  const { parent, reseller } = account;
  return {
    success: true,
    found: true,
    user: {
      id,
      name,
      email: user.email,
      role,
      is_agent_only,
      parent: superior(parent),
      reseller: superior(reseller),
    },
    ...(await explainAll(ctx, user, host)),
  };
}

function superior(account: { id: number; name: string; isActive: boolean } | null) {
  return account && { id: account.id, name: account.name, is_active: account.isActive };
}

/** Returns the shared gates of an account; the caller checks access to it. Throws `record_not_found`. */
export async function listSharedGates(ctx: Context, id: number): Promise<ForOthers[]> {
  const user = await findCandidate(ctx, { id });
  if (!user) throw refuse("record_not_found", { params: { model: "User", id } });
  const gates = await sharedGates(ctx, user, null);
  return gates.map(({ gate, open, reason, lifted_by }) => ({ gate, open, reason, lifted_by }));
}

async function explainAll(ctx: Context, user: CandidateRow, host: string | null | undefined) {
  const gates: Gate[] = [
    await passwordAttempts(ctx, user),
    gateOf("password", user.password_hash ? null : text(ctx.locale, "responses.gates.password")),
    ...(await sharedGates(ctx, user, host ?? null)),
    await factorAttempts(ctx, user),
  ];
  return { gates, stopped_by: gates.find(({ open }) => !open)?.gate ?? null };
}

/** A sign-in checks this first. */
async function passwordAttempts(ctx: Context, { id, email }: CandidateRow): Promise<Gate> {
  const { addresses, unknown, seconds } = await readThrottle(ctx, { id, key: emailKey(email) });
  if (seconds === 0) return gateOf("attempts", null);
  const reason = unknown
    ? text(ctx.locale, "responses.gates.attempts_unknown")
    : text(ctx.locale, "responses.gates.attempts", { count: addresses });
  return gateOf("attempts", reason, seconds);
}

async function sharedGates(ctx: Context, user: CandidateRow, host: string | null) {
  const gates: Array<Gate & { gate: ForOthers["gate"] }> = [];
  for (const gate of ["email_verified", "account_active", "portal"] as const) {
    const refusal = await GATES[gate]({ ...ctx, host }, user);
    const closed = gateOf(gate, refusal ? errorText(refusal, ctx.locale) : null);
    gates.push(refusal?.code === "employer_disabled" ? { ...closed, ...OF_EMPLOYER } : closed);
  }
  const factor = user.has_second_factor ? text(ctx.locale, "responses.second_factor_due") : null;
  return [...gates, gateOf("second_factor", factor)];
}

async function factorAttempts(ctx: Context, user: CandidateRow): Promise<Gate> {
  const seconds = user.has_second_factor ? await secondsUntilCodesAllowed(user.id) : 0;
  if (seconds === 0) return gateOf("factor_attempts", null);
  return gateOf("factor_attempts", text(ctx.locale, "responses.gates.factor_attempts"), seconds);
}

function gateOf<N extends Name>(gate: N, reason: string | null, seconds = 0): Gate & { gate: N } {
  const open = reason === null;
  return {
    gate,
    open,
    reason,
    lifted_by: open ? [] : LIFTED_BY[gate],
    until: seconds > 0 ? isoMicros(fromNow(seconds * SECOND)) : null,
    lift: open ? null : LIFT[gate],
  };
}

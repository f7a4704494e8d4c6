import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { formatErrorText } from "@/server/core/error-text";
import { createNotFoundError } from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import { formatText } from "@/server/core/texts";
import { fromNow, SECOND, toIsoMicros } from "@/server/core/time";
import { secondsUntilCodesAllowed } from "@/server/domains/access/two-factor/service/wrong-codes";
import type { explainAddress, explainGates } from "../contract";
import { type CandidateRow, findCandidate } from "./candidate";
import { GATES } from "./gates";
import { readPasswordThrottle } from "./throttle";

type Gate = Output<typeof explainGates>["gates"][number];
type GateName = Gate["gate"];
/** A gate of every sign-in method, not only of a sign-in with a password. */
type SharedGate = Omit<Gate, "gate" | "until" | "lift"> & { gate: keyof typeof GATES | "second_factor" };

/** Roles that can open a gate. Administrators cannot pass a second factor, but reset it. */
const LIFTED_BY: Record<GateName, Gate["lifted_by"]> = {
  attempts: ["administrator"],
  password: ["owner"],
  email_verified: ["owner"],
  account_active: ["parent", "reseller", "administrator"],
  portal: ["reseller"],
  second_factor: ["owner", "administrator"],
  factor_attempts: ["administrator"],
};

const LIFT_ACTIONS: Record<GateName, Gate["lift"]> = {
  attempts: "unlock",
  password: "password_mail",
  email_verified: "verification",
  account_active: "activate",
  portal: null,
  second_factor: "reset_two_factor",
  factor_attempts: "unlock",
};

/** Activating an agent does not help while the employer is deactivated. */
const EMPLOYER_GATE_OVERRIDES = {
  lifted_by: ["reseller", "administrator"],
  lift: null,
} satisfies Pick<Gate, "lifted_by" | "lift">;

export async function explainAccountGates(
  ctx: Context<UserActor>,
  { params: { id }, query }: Input<typeof explainGates>,
): Promise<Output<typeof explainGates>> {
  requireAdministrator(ctx.actor);
  const user = await findCandidate(ctx, { id });
  if (!user) throw createNotFoundError("User", id);
  return { success: true, user_id: id, ...(await explainSignIn(ctx, user, query.host)) };
}

const ACCOUNT_SUMMARY = { select: { id: true, name: true, isActive: true } } as const;

export async function explainAddressGates(
  ctx: Context<UserActor>,
  { query: { email, host } }: Input<typeof explainAddress>,
): Promise<Output<typeof explainAddress>> {
  requireAdministrator(ctx.actor);
  const key = toEmailKey(email);
  const [user, accountParents] = await Promise.all([
    findCandidate(ctx, { emailKey: key }),
    ctx.db.user.findUnique({
      where: { emailKey: key, anonymisedAt: null },
      select: { parent: ACCOUNT_SUMMARY, reseller: ACCOUNT_SUMMARY },
    }),
  ]);
  if (!user || !accountParents)
    return { success: true, found: false, user: null, gates: [], stopped_by: null };
  const { id, name, role, is_agent_only } = user;
  const { parent, reseller } = accountParents;
  return {
    success: true,
    found: true,
    user: {
      id,
      name,
      email: user.email,
      role,
      is_agent_only,
      parent: toAccountSummary(parent),
      reseller: toAccountSummary(reseller),
    },
    ...(await explainSignIn(ctx, user, host)),
  };
}

function toAccountSummary(account: { id: number; name: string; isActive: boolean } | null) {
  return account && { id: account.id, name: account.name, is_active: account.isActive };
}

/** Returns the shared gates of an account; the caller checks access to it. Throws `record_not_found`. */
export async function listSharedGates(ctx: Context, id: number): Promise<SharedGate[]> {
  const user = await findCandidate(ctx, { id });
  if (!user) throw createNotFoundError("User", id);
  const gates = await explainSharedGates(ctx, user, null);
  return gates.map(({ gate, open, reason, lifted_by }) => ({ gate, open, reason, lifted_by }));
}

async function explainSignIn(ctx: Context, user: CandidateRow, host: string | null | undefined) {
  const gates: Gate[] = [
    await explainPasswordAttempts(ctx, user),
    buildGate("password", user.password_hash ? null : formatText(ctx.locale, "responses.gates.password")),
    ...(await explainSharedGates(ctx, user, host ?? null)),
    await explainCodeAttempts(ctx, user),
  ];
  return { gates, stopped_by: gates.find(({ open }) => !open)?.gate ?? null };
}

async function explainPasswordAttempts(ctx: Context, { id, email }: CandidateRow): Promise<Gate> {
  const { refusedNetworkCount, refusesUnknownNetworks, secondsUntilAllowed } = await readPasswordThrottle(
    ctx,
    {
      id,
      emailKey: toEmailKey(email),
    },
  );
  if (secondsUntilAllowed === 0) return buildGate("attempts", null);
  const reason = refusesUnknownNetworks
    ? formatText(ctx.locale, "responses.gates.attempts_unknown")
    : formatText(ctx.locale, "responses.gates.attempts", { count: refusedNetworkCount });
  return buildGate("attempts", reason, secondsUntilAllowed);
}

async function explainSharedGates(ctx: Context, user: CandidateRow, host: string | null) {
  const gates: Array<Gate & { gate: SharedGate["gate"] }> = [];
  for (const gate of ["email_verified", "account_active", "portal"] as const) {
    const refusal = await GATES[gate]({ ...ctx, host }, user);
    const explainedGate = buildGate(gate, refusal ? formatErrorText(refusal, ctx.locale) : null);
    gates.push(
      refusal?.code === "employer_disabled"
        ? { ...explainedGate, ...EMPLOYER_GATE_OVERRIDES }
        : explainedGate,
    );
  }
  const secondFactorReason = user.has_second_factor
    ? formatText(ctx.locale, "responses.second_factor_due")
    : null;
  return [...gates, buildGate("second_factor", secondFactorReason)];
}

async function explainCodeAttempts(ctx: Context, user: CandidateRow): Promise<Gate> {
  const seconds = user.has_second_factor ? await secondsUntilCodesAllowed(user.id) : 0;
  if (seconds === 0) return buildGate("factor_attempts", null);
  return buildGate("factor_attempts", formatText(ctx.locale, "responses.gates.factor_attempts"), seconds);
}

function buildGate<N extends GateName>(gate: N, reason: string | null, seconds = 0): Gate & { gate: N } {
  const open = reason === null;
  return {
    gate,
    open,
    reason,
    lifted_by: open ? [] : LIFTED_BY[gate],
    until: seconds > 0 ? toIsoMicros(fromNow(seconds * SECOND)) : null,
    lift: open ? null : LIFT_ACTIONS[gate],
  };
}

import type { Context } from "@/server/core/context";
import { AppError } from "@/server/core/errors";
import { issueSignInToken, noticeNewDevice } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockedOut } from "@/server/domains/accounts/portals/service/access";
import { modulesOf, signedInUser } from "@/server/domains/accounts/profile/service";
import type { SignedIn } from "../contract";
import type { FoundCandidate } from "./candidate";
import { contactFor } from "./contact";
import { isTrustedDevice } from "./device";
import { type Interim, openInterim } from "./interim";

/** What the gates check. */
export type Candidate = Omit<FoundCandidate, "password_hash">;

/** How the person proved their identity; `second_factor` and `recovery_code` follow an earlier method. */
export type SignInMethod =
  | "password"
  | "reset"
  | "google"
  | "apple"
  | "passkey"
  | "invitation"
  | "second_factor"
  | "recovery_code";

/** Methods that satisfy the fourth gate by themselves: a passkey with user verification counts as two factors. */
const TWO_FACTORS: ReadonlySet<SignInMethod> = new Set<SignInMethod>([
  "passkey",
  "second_factor",
  "recovery_code",
]);

/** Result of the gates: signed in, second factor due, or refused. */
export type Passage = { signedIn: SignedIn } | { interim: Interim } | { refusal: AppError };

type Tx = Omit<Context, "db">;
type Gate = (ctx: Tx, user: Candidate) => Promise<AppError | undefined>;

/** Gate 1: the address must be confirmed. */
const verifiedEmail: Gate = async (_ctx, user) =>
  user.email_verified
    ? undefined
    : new AppError("email_unverified", { requires_verification: true, email: user.email });

/** Gate 2: neither a passive account nor an agent of one can sign in; the response names who can help. */
const activeAccount: Gate = async (ctx, user) => {
  if (user.is_active && user.is_employer_active) return undefined;
  return new AppError(user.is_active ? "employer_disabled" : "account_disabled", {
    account_disabled: true,
    contact: await contactFor(ctx, user),
  });
};

/** Gate 3: a customer of a reseller's portal signs in there, and nobody else does. */
const portalLock: Gate = async (ctx, user) => {
  const elsewhere = await lockedOut(ctx, user);
  return (
    elsewhere &&
    new AppError(
      "portal_locked",
      { portal_locked: true, portal_url: elsewhere.url },
      { params: { brand: elsewhere.brand } },
    )
  );
};

/** In the order of docs/contract.md 5.7; the second factor comes last. */
export const GATES = {
  email_verified: verifiedEmail,
  account_active: activeAccount,
  portal: portalLock,
} satisfies Record<string, Gate>;

/**
 * The only way to a token: every path that signs a person in ends here, so none can skip a gate. It throws nothing of
 * its own, so that the caller's transaction keeps what it wrote (the audit row of a refusal, the interim token).
 */
export async function applyGates(
  ctx: Tx,
  user: Candidate,
  { way, deviceToken }: { way: SignInMethod; deviceToken?: string | null },
): Promise<Passage> {
  const about = { object: { type: "User" as const, id: user.id }, actorId: user.id };
  for (const gate of Object.values(GATES)) {
    const refusal = await gate(ctx, user);
    if (!refusal) continue;
    await audit(ctx, { action: "sign_in.refused", ...about, details: { way, gate: refusal.code } });
    return { refusal };
  }
  // Gate 4: a second factor, unless this method is one or a second factor made the device trusted.
  const due = user.has_second_factor && !TWO_FACTORS.has(way);
  const trusted = due && (await isTrustedDevice(ctx, user.id, deviceToken));
  const interim = due && !trusted ? await openInterim(ctx, user, "sign_in") : undefined;
  if (interim) return { interim };
  const { token, ...issued } = await issueSignInToken(ctx, user.id, { proven: !trusted });
  await noticeNewDevice(ctx, issued);
  await audit(ctx, { action: "sign_in.succeeded", ...about, details: { way } });
  return { signedIn: { success: true, user: signedInUser(user), token, modules: modulesOf(user) } };
}

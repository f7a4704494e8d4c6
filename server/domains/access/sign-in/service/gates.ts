import type { Context } from "@/server/core/context";
import { AppError } from "@/server/core/errors";
import { issueSignInToken, queueDeviceNotice } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { findPortalLock } from "@/server/domains/accounts/portals/service/access";
import { modulesOf, signedInUser } from "@/server/domains/accounts/profile/service";
import type { SignedIn } from "../contract";
import type { CandidateRow } from "./candidate";
import { contactFor } from "./contact";
import { isTrustedDevice } from "./device";
import { type Interim, openInterim } from "./interim";

export type Candidate = Omit<CandidateRow, "password_hash">;

/** `second_factor` and `recovery_code` follow another method. */
export type SignInMethod =
  | "password"
  | "reset"
  | "google"
  | "apple"
  | "passkey"
  | "invitation"
  | "second_factor"
  | "recovery_code";

/** Methods that need no second factor; a passkey with user verification counts as two. */
const TWO_FACTORS: ReadonlySet<SignInMethod> = new Set<SignInMethod>([
  "passkey",
  "second_factor",
  "recovery_code",
]);

export type GateResult = { signedIn: SignedIn } | { interim: Interim } | { refusal: AppError };

type Tx = Omit<Context, "db">;
type Gate = (ctx: Tx, user: Candidate) => Promise<AppError | undefined>;

const verifiedEmail: Gate = async (_ctx, user) =>
  user.email_verified
    ? undefined
    : new AppError("email_unverified", { requires_verification: true, email: user.email });

/** Account and employer must be active; the refusal names a contact. */
const activeAccount: Gate = async (ctx, user) => {
  if (user.is_active && user.is_employer_active) return undefined;
  return new AppError(user.is_active ? "employer_disabled" : "account_disabled", {
    account_disabled: true,
    contact: await contactFor(ctx, user),
  });
};

/** Customers of a reseller's portal sign in there, and only they do. */
const portalLock: Gate = async (ctx, user) => {
  const elsewhere = await findPortalLock(ctx, user);
  return (
    elsewhere &&
    new AppError(
      "portal_locked",
      { portal_locked: true, portal_url: elsewhere.url },
      { params: { brand: elsewhere.brand } },
    )
  );
};

/** In the order of docs/contract.md 5.7. The second factor comes last. */
export const GATES = {
  email_verified: verifiedEmail,
  account_active: activeAccount,
  portal: portalLock,
} satisfies Record<string, Gate>;

/**
 * Every sign-in ends here, so none can skip a gate. Returns refusals instead of throwing them: the caller's
 * transaction must commit the audit entry and the interim token.
 */
export async function applyGates(
  ctx: Tx,
  user: Candidate,
  { way, deviceToken }: { way: SignInMethod; deviceToken?: string | null },
): Promise<GateResult> {
  const about = { object: { type: "User" as const, id: user.id }, actorId: user.id };
  for (const gate of Object.values(GATES)) {
    const refusal = await gate(ctx, user);
    if (!refusal) continue;
    await audit(ctx, { action: "sign_in.refused", ...about, details: { way, gate: refusal.code } });
    return { refusal };
  }
  // Gate 4: a second factor, unless the method includes one or the device is trusted.
  const due = user.has_second_factor && !TWO_FACTORS.has(way);
  const trusted = due && (await isTrustedDevice(ctx, user.id, deviceToken));
  const interim = due && !trusted ? await openInterim(ctx, user, "sign_in") : undefined;
  if (interim) return { interim };
  const { token, ...issued } = await issueSignInToken(ctx, user.id, { proven: !trusted });
  await queueDeviceNotice(ctx, issued);
  await audit(ctx, { action: "sign_in.succeeded", ...about, details: { way } });
  return { signedIn: { success: true, user: signedInUser(user), token, modules: modulesOf(user) } };
}

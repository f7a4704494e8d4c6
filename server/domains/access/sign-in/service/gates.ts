import type { Context } from "@/server/core/context";
import { AppError } from "@/server/core/errors";
import { issueSignInToken, queueDeviceNotice } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { findPortalLock } from "@/server/domains/accounts/portals/service/access";
import { getEnabledModules, toSignedInUser } from "@/server/domains/accounts/profile/service";
import type { SignedIn } from "../contract";
import type { CandidateRow } from "./candidate";
import { findAccountContact } from "./contact";
import { createInterimToken, type InterimChallenge } from "./interim-token";
import { verifyTrustedDevice } from "./trusted-device";

export type Candidate = Omit<CandidateRow, "password_hash">;

/** `second_factor` and `recovery_code` finish a sign-in that another method started. */
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
const TWO_FACTOR_METHODS: ReadonlySet<SignInMethod> = new Set<SignInMethod>([
  "passkey",
  "second_factor",
  "recovery_code",
]);

export type GateResult = { signedIn: SignedIn } | { interim: InterimChallenge } | { refusal: AppError };

type GateContext = Omit<Context, "db">;
type Gate = (ctx: GateContext, user: Candidate) => Promise<AppError | undefined>;

const checkVerifiedEmail: Gate = async (_ctx, user) =>
  user.email_verified
    ? undefined
    : new AppError("email_unverified", { requires_verification: true, email: user.email });

const checkActiveAccount: Gate = async (ctx, user) => {
  if (user.is_active && user.is_employer_active) return undefined;
  return new AppError(user.is_active ? "employer_disabled" : "account_disabled", {
    account_disabled: true,
    contact: await findAccountContact(ctx, user),
  });
};

/** Customers of a reseller's portal sign in there, and only they do. */
const checkPortalLock: Gate = async (ctx, user) => {
  const lockingPortal = await findPortalLock(ctx, user);
  return (
    lockingPortal &&
    new AppError(
      "portal_locked",
      { portal_locked: true, portal_url: lockingPortal.url },
      { params: { brand: lockingPortal.brand } },
    )
  );
};

/** In the order of docs/contract.md 5.7. The second factor comes last. */
export const GATES = {
  email_verified: checkVerifiedEmail,
  account_active: checkActiveAccount,
  portal: checkPortalLock,
} satisfies Record<string, Gate>;

/** Every sign-in ends here. Returns refusals: the transaction must commit audit entry and interim token. */
export async function signInThroughGates(
  ctx: GateContext,
  user: Candidate,
  { method, deviceToken }: { method: SignInMethod; deviceToken?: string | null },
): Promise<GateResult> {
  // The audit field for the method is called `way`; stored entries have it.
  const auditTarget = { object: { type: "User" as const, id: user.id }, actorId: user.id };
  for (const gate of Object.values(GATES)) {
    const refusal = await gate(ctx, user);
    if (!refusal) continue;
    await audit(ctx, {
      action: "sign_in.refused",
      ...auditTarget,
      details: { way: method, gate: refusal.code },
    });
    return { refusal };
  }
  const needsSecondFactor = user.has_second_factor && !TWO_FACTOR_METHODS.has(method);
  const isTrusted = needsSecondFactor && (await verifyTrustedDevice(ctx, user.id, deviceToken));
  const interim =
    needsSecondFactor && !isTrusted ? await createInterimToken(ctx, user, "sign_in") : undefined;
  if (interim) return { interim };
  const { token, ...issuedToken } = await issueSignInToken(ctx, user.id, { isProven: !isTrusted });
  await queueDeviceNotice(ctx, issuedToken);
  await audit(ctx, { action: "sign_in.succeeded", ...auditTarget, details: { way: method } });
  return { signedIn: { success: true, user: toSignedInUser(user), token, modules: getEnabledModules(user) } };
}

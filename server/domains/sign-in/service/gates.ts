import type { Context } from "@/server/core/context";
import type { Answer } from "@/server/core/contract";
import { AppError } from "@/server/core/errors";
import { audit } from "@/server/domains/audit/service";
import { modulesOf, signedInUser, type UserRow } from "@/server/domains/profile/service";
import { issueSignInToken } from "@/server/domains/tokens/service";
import type { login } from "../contract";
import { contactFor } from "./contact";

/** What the gates look at. */
export interface Candidate extends UserRow {
  email_verified: boolean;
  parent_user_id: number | null;
}

/** How the person proved who they are; named in the audit trail. */
export type Way = "password" | "reset";

type Sql = Omit<Context, "db">;
type Gate = (ctx: Sql, user: Candidate) => Promise<AppError | undefined>;

/** Gate 1: the address must be confirmed. */
const verifiedEmail: Gate = async (_ctx, user) =>
  user.email_verified
    ? undefined
    : new AppError("email_unverified", { requires_verification: true, email: user.email });

/** Gate 2: a passive account cannot sign in; the answer names who can help. */
const activeAccount: Gate = async (ctx, user) =>
  user.is_active
    ? undefined
    : new AppError("account_disabled", { account_disabled: true, contact: await contactFor(ctx, user) });

/** In the contract's order (section 5, rule 7); the portal lock and the second factor follow these two. */
const GATES: Gate[] = [verifiedEmail, activeAccount];

/**
 * The one way to a token: every path that signs a person in ends here, so none can pass a gate by.
 * Throws what stops the account; otherwise issues the token and answers as a sign-in does.
 */
export async function applyGates(ctx: Sql, user: Candidate, way: Way): Promise<Answer<typeof login>> {
  for (const gate of GATES) {
    const refusal = await gate(ctx, user);
    if (!refusal) continue;
    await audit(ctx, {
      action: "sign_in.refused",
      object: { type: "User", id: user.id },
      actorId: user.id,
      details: { way, gate: refusal.code },
    });
    throw refusal;
  }
  const token = await issueSignInToken(ctx, user.id);
  await audit(ctx, {
    action: "sign_in.succeeded",
    object: { type: "User", id: user.id },
    actorId: user.id,
    details: { way },
  });
  return { success: true, user: signedInUser(user), token, modules: modulesOf(user) };
}

import type { Context } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { isAppError, refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { audit } from "@/server/domains/audit/service";
import { withStatements } from "@/server/infrastructure/database/transaction";
import { verifyPassword } from "@/server/infrastructure/secrets/password";
import type { login as loginOperation } from "../contract";
import { findCandidate } from "./candidate";
import { applyGates, type Candidate } from "./gates";
import { countAttempt } from "./throttle";

/**
 * Signs in with a password. Unknown address, wrong password and account without a password are one
 * answer in one time; nothing else is said before the password is right.
 */
export async function login(
  ctx: Context,
  { body }: Input<typeof loginOperation>,
): Promise<Answer<typeof loginOperation>> {
  const key = emailKey(body.email);
  const attempt = await countAttempt(ctx, key);
  const user = await findCandidate(ctx.sql, { key });
  const fits = await verifyPassword(user?.password_hash, body.password.normalize("NFC"));
  if (!fits || !user) {
    await audit(ctx, {
      action: "sign_in.failed",
      object: user && { type: "User", id: user.id },
      actorId: user?.id,
      details: { way: "password" },
    });
    throw refuse("credentials_wrong");
  }
  const [answer] = await Promise.all([throughGates(ctx, user), attempt.succeeded()]);
  if (isAppError(answer)) throw answer;
  return answer;
}

/** A refusal is returned, not thrown, so that its audit row is kept. */
function throughGates(ctx: Context, user: Candidate) {
  return withStatements(ctx, (tx) =>
    applyGates(tx, user, "password").catch((error: unknown) => {
      if (isAppError(error)) return error;
      throw error;
    }),
  );
}

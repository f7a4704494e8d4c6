import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { audit } from "@/server/domains/accounts/audit/service";
import { onlyStatements } from "@/server/infrastructure/database/transaction";
import { verifyPassword } from "@/server/infrastructure/secrets/password";
import type { login as loginOperation } from "../contract";
import { findCandidate } from "./candidate";
import { applyGates } from "./gates";
import { countAttempt } from "./throttle";

/**
 * Signs in with a password. An unknown address, a wrong password and an account without a password get the same
 * response in the same time; nothing else is revealed before the password is right.
 */
export async function login(
  ctx: Context,
  { body }: Input<typeof loginOperation>,
): Promise<Output<typeof loginOperation>> {
  const key = emailKey(body.email);
  const attempt = await countAttempt(ctx, key);
  const user = await findCandidate(ctx, { key });
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
  const [passage] = await Promise.all([
    onlyStatements(ctx, (tx) => applyGates(tx, user, { way: "password", deviceToken: body.device_token })),
    attempt.succeeded(),
  ]);
  if ("refusal" in passage) throw passage.refusal;
  if ("signedIn" in passage) return passage.signedIn;
  const { token, methods } = passage.interim;
  return { success: true, requires_2fa: true, interim_token: token, available_methods: methods };
}

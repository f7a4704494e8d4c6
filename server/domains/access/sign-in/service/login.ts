import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { onlyStatements } from "@/server/infrastructure/database/transaction";
import { verifyPassword } from "@/server/infrastructure/secrets/password";
import type { login as loginOperation } from "../contract";
import { findCandidate, lockCandidate } from "./candidate";
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
  const found = await findCandidate(ctx, { key });
  const fits = await verifyPassword(found?.password_hash, body.password.normalize("NFC"));
  const passage =
    found && fits
      ? await onlyStatements(ctx, async (tx) => {
          const user = await lockCandidate(tx, found.id);
          // Checking takes a while, in which the password may have been changed.
          if (user?.password_hash !== found.password_hash) return undefined;
          const passage = await applyGates(tx, user, { way: "password", deviceToken: body.device_token });
          // Last, because others behind the same address wait for these rows.
          await attempt.succeeded(tx);
          return passage;
        })
      : undefined;
  if (!passage) {
    await audit(ctx, {
      action: "sign_in.failed",
      object: found && { type: "User", id: found.id },
      actorId: found?.id,
      details: { way: "password" },
    });
    throw refuse("credentials_wrong");
  }
  if ("refusal" in passage) throw passage.refusal;
  if ("signedIn" in passage) return passage.signedIn;
  const { token, methods } = passage.interim;
  return { success: true, requires_2fa: true, interim_token: token, available_methods: methods };
}

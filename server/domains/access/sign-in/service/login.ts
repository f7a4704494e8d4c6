import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withStatementTransaction } from "@/server/infrastructure/database/transaction";
import { verifyPassword } from "@/server/infrastructure/secrets/password";
import type { login as loginOperation } from "../contract";
import { findCandidate, lockCandidate } from "./candidate";
import { signInThroughGates } from "./gates";
import { countPasswordAttempt } from "./throttle";

/** Response and timing are the same for an unknown address, a wrong password and an account without one. */
export async function login(
  ctx: Context,
  { body }: Input<typeof loginOperation>,
): Promise<Output<typeof loginOperation>> {
  const key = toEmailKey(body.email);
  const attempt = await countPasswordAttempt(ctx, key);
  const candidate = await findCandidate(ctx, { emailKey: key });
  const isPasswordRight = await verifyPassword(candidate?.password_hash, body.password.normalize("NFC"));
  const gateResult =
    candidate && isPasswordRight
      ? await withStatementTransaction(ctx, async (tx) => {
          const lockedCandidate = await lockCandidate(tx, candidate.id);
          // Hashing is slow: the password may have changed in the meantime.
          if (lockedCandidate?.password_hash !== candidate.password_hash) return undefined;
          const result = await signInThroughGates(tx, lockedCandidate, {
            method: "password",
            deviceToken: body.device_token,
          });
          // Last, because it locks counters for which other users of the network wait.
          await attempt.recordSuccess(tx);
          return result;
        })
      : undefined;
  if (!gateResult) {
    await audit(ctx, {
      action: "sign_in.failed",
      object: candidate && { type: "User", id: candidate.id },
      actorId: candidate?.id,
      details: { way: "password" },
    });
    throw createError("credentials_wrong");
  }
  if ("refusal" in gateResult) throw gateResult.refusal;
  if ("signedIn" in gateResult) return gateResult.signedIn;
  const { token, methods } = gateResult.interim;
  return { success: true, requires_2fa: true, interim_token: token, available_methods: methods };
}

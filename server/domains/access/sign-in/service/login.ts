import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { statementTransaction } from "@/server/infrastructure/database/transaction";
import { verifyPassword } from "@/server/infrastructure/secrets/password";
import type { login as loginOperation } from "../contract";
import { findCandidate, lockCandidate } from "./candidate";
import { applyGates } from "./gates";
import { countAttempt } from "./throttle";

/** Responds the same in the same time for an unknown address, a wrong password and an account without one. */
export async function login(
  ctx: Context,
  { body }: Input<typeof loginOperation>,
): Promise<Output<typeof loginOperation>> {
  const key = emailKey(body.email);
  const attempt = await countAttempt(ctx, key);
  const candidate = await findCandidate(ctx, { key });
  const matches = await verifyPassword(candidate?.password_hash, body.password.normalize("NFC"));
  const passage =
    candidate && matches
      ? await statementTransaction(ctx, async (tx) => {
          const user = await lockCandidate(tx, candidate.id);
          // Hashing is slow: the password may have been changed since.
          if (user?.password_hash !== candidate.password_hash) return undefined;
          const passage = await applyGates(tx, user, { way: "password", deviceToken: body.device_token });
          // Last: it locks rows that others behind the same address wait for.
          await attempt.succeeded(tx);
          return passage;
        })
      : undefined;
  if (!passage) {
    await audit(ctx, {
      action: "sign_in.failed",
      object: candidate && { type: "User", id: candidate.id },
      actorId: candidate?.id,
      details: { way: "password" },
    });
    throw refuse("credentials_wrong");
  }
  if ("refusal" in passage) throw passage.refusal;
  if ("signedIn" in passage) return passage.signedIn;
  const { token, methods } = passage.interim;
  return { success: true, requires_2fa: true, interim_token: token, available_methods: methods };
}

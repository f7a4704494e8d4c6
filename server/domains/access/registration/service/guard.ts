import { refuse } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { toAscii } from "@/server/core/schema";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addressBucket } from "@/server/infrastructure/rate-limit/limiter";
import { codeDigest } from "@/server/infrastructure/secrets/tokens";
import { setting } from "@/server/infrastructure/settings";
import { signUpProblem } from "../spam-guard.provider";

/**
 * Throws `sign_up_refused` for a bot or an unreachable address, unless its domain is allowed. The error is
 * always the same; the reason is logged and, with `from`, stored for administrators.
 */
export async function guardSignUp(
  { email, honeypot }: { email: string; honeypot?: string | null },
  from?: { ip: string },
): Promise<void> {
  const domain = toAscii(email.slice(email.lastIndexOf("@") + 1)) ?? "";
  if (!honeypot && (await setting(withoutTransaction(), "allowed_domains")).includes(domain)) return;
  const reason = await signUpProblem(domain, honeypot);
  if (!reason) return;
  log.info({ event: "sign_up.refused", reason, domain });
  if (from)
    await withoutTransaction().db.signUpRefusal.create({
      data: { domain, reason, ipBucket: codeDigest(addressBucket(from.ip), "sign_up_refusal") },
      select: { id: true },
    });
  throw refuse("sign_up_refused");
}

import { createError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { findSpamProblem, getMailDomain } from "@/server/domains/accounts/users/service/spam-guard";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { toIpBucket } from "@/server/infrastructure/rate-limit/limiter";
import { hashCode } from "@/server/infrastructure/secrets/tokens";
import type { SignUpProblem } from "../policy";

/**
 * Refuses a spam address at a sign-up or invitation. The response hides the reason. It is logged and, if
 * `client` is given, stored for administrators.
 */
export async function refuseSpamAddress(
  { email, honeypot }: { email: string; honeypot?: string | null },
  client?: { ip: string },
): Promise<void> {
  const domain = getMailDomain(email);
  const reason: SignUpProblem | undefined = honeypot
    ? "honeypot"
    : await findSpamProblem(withoutTransaction(), domain);
  if (!reason) return;
  log.info({ event: "sign_up.refused", reason, domain });
  if (client)
    await withoutTransaction().db.signUpRefusal.create({
      data: { domain, reason, ipBucket: hashCode(toIpBucket(client.ip), "sign_up_refusal") },
      select: { id: true },
    });
  throw createError("sign_up_refused");
}

import { isCommonPassword } from "@/server/core/common-passwords";
import { env } from "@/server/core/env";
import { invalid, invalidCounted } from "@/server/core/errors";
import { isOwnAddress } from "@/server/core/schema";
import { isBreached } from "../breaches.provider";

/**
 * Checks a new password beyond its length. These rules depend on settings, so the contract has none of them:
 * not the own address and not a common password (COMMON_PASSWORDS), not a breached one
 * (BREACHED_PASSWORDS_URL). Throws `validation` for `field`.
 */
export async function checkNewPassword(
  password: string,
  { email, field = "password" }: { email: string; field?: string },
): Promise<void> {
  if (env().refusesCommonPasswords) {
    if (isOwnAddress(password, email)) throw invalid(field, "password_is_email");
    if (isCommonPassword(password)) throw invalid(field, "password_common");
  }
  if (await isBreached(password)) throw invalidCounted(field, "password_breached");
}

import { isCommonPassword } from "@/server/core/common-passwords";
import { env } from "@/server/core/env";
import { invalid, invalidCounted } from "@/server/core/errors";
import { isOwnAddress } from "@/server/core/schema";
import { isBreached } from "./breaches.provider";

/**
 * The rules of a new password beside its length, the same wherever one is chosen. The contract knows none of them,
 * so each is a setting: not the account's own address and not one that everybody tries first (COMMON_PASSWORDS), not
 * one known from a breach (BREACHED_PASSWORDS_URL). Throws `validation` for `field`.
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

import { invalid } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { isCommonPassword } from "@/server/infrastructure/secrets/common-passwords";
import { isBreached } from "./breaches.provider";

/**
 * The rules of a new password beside its length, the same wherever one is chosen: not the account's own
 * address, not one that everybody tries first, and, where it is switched on, not one known from a breach.
 * Throws `validation` for `field`.
 */
export async function checkNewPassword(
  password: string,
  { email, field = "password" }: { email: string; field?: string },
): Promise<void> {
  const key = emailKey(email);
  const given = password.trim().toLowerCase();
  if ([email.toLowerCase(), key, key.slice(0, key.lastIndexOf("@"))].includes(given))
    throw invalid(field, "password_is_email");
  if (isCommonPassword(password)) throw invalid(field, "password_common");
  if (await isBreached(password)) throw invalid(field, "password_breached");
}

import { isCommonPassword } from "@/server/core/common-passwords";
import { env } from "@/server/core/env";
import { countedInvalidField, invalidField } from "@/server/core/errors";
import { isPasswordOwnAddress } from "@/server/core/schema";
import { isBreached } from "../breaches.provider";

/** Rules beyond the length, which depend on settings and so are not in the contract. Throws `validation`. */
export async function checkNewPassword(
  password: string,
  { email, field = "password" }: { email: string; field?: string },
): Promise<void> {
  if (env().refusesCommonPasswords) {
    if (isPasswordOwnAddress(password, email)) throw invalidField(field, "password_is_email");
    if (isCommonPassword(password)) throw invalidField(field, "password_common");
  }
  if (await isBreached(password)) throw countedInvalidField(field, "password_breached");
}

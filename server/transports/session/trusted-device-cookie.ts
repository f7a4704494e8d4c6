import { env } from "@/server/core/env";
import { toEmailKey } from "@/server/core/schema";
import { DAY, SECOND } from "@/server/core/time";
import { challengeTwoFactor, login, recoverTwoFactor } from "@/server/domains/access/sign-in/contract";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import { getCookieName, readCookie } from "./cookie";

/*
 * The panel stores the secrets of a trusted device, one per account, in an HttpOnly cookie. REST returns
 * the secret to the caller (docs/contract.md, section 4.3).
 */

const MAX_REMEMBERED_ACCOUNTS = 5;
/** Same as TRUST_LIFETIME_MS of sign-in/service/trusted-device.ts. */
const MAX_AGE_SECONDS = (30 * DAY) / SECOND;

/** Stored as `account:token`, joined by dots, last used first. */
type DeviceEntries = [account: string, token: string][];

export interface CookieAccess {
  requestHeader: string | null;
  /** Undefined where a response cannot set cookies, as in server components. */
  setCookie?: (cookie: string) => void;
}

/** Adds the account's device token to the input of a login, unless the caller sent one. */
export function addDeviceToken<I extends { body?: unknown }>(
  operationId: string,
  input: I,
  { requestHeader }: CookieAccess,
): I {
  const { email, device_token: requestToken } = (input.body ?? {}) as Record<string, unknown>;
  if (operationId !== login.id || typeof email !== "string" || requestToken) return input;
  const token = readTrustedDevices(requestHeader).find(([account]) => account === toAccountKey(email))?.[1];
  return token ? { ...input, body: { ...(input.body as object), device_token: token } } : input;
}

/** Moves the device token from the output of a finished sign-in to the cookie. */
export function moveDeviceTokenToCookie(
  operationId: string,
  output: unknown,
  { requestHeader, setCookie }: CookieAccess,
): unknown {
  if (!setCookie || (operationId !== challengeTwoFactor.id && operationId !== recoverTwoFactor.id))
    return output;
  const { device_token: token, user } = output as { device_token: string | null; user: { email: string } };
  if (!token) return output;
  const otherDevices = readTrustedDevices(requestHeader).filter(
    ([account]) => account !== toAccountKey(user.email),
  );
  const value = [[toAccountKey(user.email), token], ...otherDevices]
    .slice(0, MAX_REMEMBERED_ACCOUNTS)
    .map((each) => each.join(":"));
  const secure = env().usesHttps ? "; Secure" : "";
  setCookie(
    `${getCookieName("trusted-devices")}=${value.join(".")}; Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  );
  return { ...(output as object), device_token: null };
}

/** Hashes the address: the cookie must not reveal it. */
function toAccountKey(email: string): string {
  return hashSecret(toEmailKey(email)).toString("base64url").slice(0, 16);
}

function readTrustedDevices(requestHeader: string | null): DeviceEntries {
  const cookie = readCookie(requestHeader, getCookieName("trusted-devices")) ?? "";
  return cookie
    .split(".")
    .map((each) => each.split(":") as DeviceEntries[number])
    .filter(([, token]) => token !== undefined && isWellFormedToken(token, "dst"));
}

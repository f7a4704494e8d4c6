import { env } from "@/server/core/env";
import { emailKey } from "@/server/core/schema";
import { DAY, SECOND } from "@/server/core/time";
import { challengeTwoFactor, login, recoverTwoFactor } from "@/server/domains/access/sign-in/contract";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";
import { cookieName, readCookie } from "./cookie";

/*
 * The panel stores the secret of a trusted device in an HttpOnly cookie, together with those of a few other
 * accounts. REST returns it to the caller (docs/contract.md, section 4.3).
 */

const MAX_ACCOUNTS = 5;
const MAX_AGE = (30 * DAY) / SECOND;

type DeviceEntries = [account: string, token: string][];

export interface Cookies {
  sent: string | null;
  /** Undefined where a response cannot set cookies, as in server components. */
  set?: (cookie: string) => void;
}

export function withDeviceToken<I extends { body?: unknown }>(id: string, input: I, { sent }: Cookies): I {
  const { email, device_token: sentToken } = (input.body ?? {}) as Record<string, unknown>;
  if (id !== login.id || typeof email !== "string" || sentToken) return input;
  const token = readDevices(sent).find(([account]) => account === accountOf(email))?.[1];
  return token ? { ...input, body: { ...(input.body as object), device_token: token } } : input;
}

/** Moves the device secret from the output of a second sign-in step to the cookie. */
export function moveDeviceToken(id: string, output: unknown, { sent, set }: Cookies): unknown {
  if (!set || (id !== challengeTwoFactor.id && id !== recoverTwoFactor.id)) return output;
  const { device_token: token, user } = output as { device_token: string | null; user: { email: string } };
  if (!token) return output;
  const others = readDevices(sent).filter(([account]) => account !== accountOf(user.email));
  const value = [[accountOf(user.email), token], ...others]
    .slice(0, MAX_ACCOUNTS)
    .map((each) => each.join(":"));
  const secure = env().https ? "; Secure" : "";
  set(
    `${cookieName("trusted-devices")}=${value.join(".")}; Path=/; Max-Age=${MAX_AGE}; HttpOnly; SameSite=Lax${secure}`,
  );
  return { ...(output as object), device_token: null };
}

/** Returns an anonymous key of an account for the cookie. */
function accountOf(email: string): string {
  return digest(emailKey(email)).toString("base64url").slice(0, 16);
}

function readDevices(sent: string | null): DeviceEntries {
  const cookie = readCookie(sent, cookieName("trusted-devices")) ?? "";
  return cookie
    .split(".")
    .map((each) => each.split(":") as DeviceEntries[number])
    .filter(([, token]) => token !== undefined && isToken(token, "dst"));
}

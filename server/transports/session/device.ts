import { env } from "@/server/core/env";
import { emailKey } from "@/server/core/schema";
import { DAY, SECOND } from "@/server/core/time";
import { challengeTwoFactor, login, recoverTwoFactor } from "@/server/domains/access/sign-in/contract";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";
import { cookieName, readCookie } from "./cookie";

/*
 * In the panel the secret of a trusted device lives in a cookie that no script can read, next to those of a few other
 * accounts of this browser. REST hands it to its caller, as documented (docs/contract.md 4.3).
 */

/** Accounts remembered per browser. */
const KEPT = 5;
/** Seconds; as long as a device is trusted. */
const LIFE = (30 * DAY) / SECOND;

type Kept = [account: string, token: string][];

/** The cookies of a panel request, and where those of its response go. */
export interface Cookies {
  sent: string | null;
  /** Undefined where a response cannot set any, such as in a server component. */
  set?: (cookie: string) => void;
}

/** Adds the browser's secret to the input of a sign-in. */
export function withDeviceToken<I extends { body?: unknown }>(id: string, input: I, { sent }: Cookies): I {
  const { email, device_token: given } = (input.body ?? {}) as Record<string, unknown>;
  if (id !== login.id || typeof email !== "string" || given) return input;
  const token = read(sent).find(([account]) => account === accountOf(email))?.[1];
  return token ? { ...input, body: { ...(input.body as object), device_token: token } } : input;
}

/** Moves the secret from the output of a second step into the browser's cookie. */
export function keepDeviceToken(id: string, output: unknown, { sent, set }: Cookies): unknown {
  if (!set || (id !== challengeTwoFactor.id && id !== recoverTwoFactor.id)) return output;
  const { device_token: token, user } = output as { device_token: string | null; user: { email: string } };
  if (!token) return output;
  const others = read(sent).filter(([account]) => account !== accountOf(user.email));
  const value = [[accountOf(user.email), token], ...others].slice(0, KEPT).map((each) => each.join(":"));
  const secure = env().https ? "; Secure" : "";
  set(
    `${cookieName("trusted-devices")}=${value.join(".")}; Path=/; Max-Age=${LIFE}; HttpOnly; SameSite=Lax${secure}`,
  );
  return { ...(output as object), device_token: null };
}

/** What stands for an account in the cookie, which names nobody. */
function accountOf(email: string): string {
  return digest(emailKey(email)).toString("base64url").slice(0, 16);
}

function read(sent: string | null): Kept {
  const kept = readCookie(sent, cookieName("trusted-devices")) ?? "";
  return kept
    .split(".")
    .map((each) => each.split(":") as Kept[number])
    .filter(([, token]) => token !== undefined && isToken(token, "dst"));
}

import type { NextRequest } from "next/server";
import { env } from "@/server/core/env";
import { callbackCookieName } from "./cookie";

const ACTIONS: Record<string, readonly string[]> = {
  GET: ["session", "csrf", "providers", "callback", "signin", "error"],
  POST: ["session", "signin", "signout", "callback"],
};

/** Exchanges a sign-in token for a session. */
const TOKEN_PROVIDER = "token";

async function hasReadableBody(request: NextRequest): Promise<boolean> {
  if (!request.headers.get("content-type")?.includes("application/json")) return true;
  return request
    .clone()
    .json()
    .then(
      () => true,
      () => false,
    );
}

/** Prevents open redirects. */
export function ownUrl(url: string): string {
  const { APP_URL } = env();
  const target = webAddress(url);
  return target?.origin === new URL(APP_URL).origin ? target.href : APP_URL;
}

function webAddress(url: string): URL | undefined {
  try {
    const target = new URL(url, url.startsWith("/") ? env().APP_URL : undefined);
    return /^https?:$/.test(target.protocol) ? target : undefined;
  } catch {
    return undefined;
  }
}

/** next-auth fails on such callback URLs and bodies, and has actions and pages that we disable. */
export async function rejectRequest(request: NextRequest): Promise<Response | undefined> {
  const { pathname, searchParams } = request.nextUrl;
  const [, , action = "", provider] = pathname.split("/");
  if (!ACTIONS[request.method]?.includes(action)) return new Response(null, { status: 404 });
  if (request.method === "GET" && action === "callback" && provider === TOKEN_PROVIDER)
    return new Response(null, { status: 404 });
  if (!(await hasReadableBody(request))) return new Response(null, { status: 400 });
  if (!searchParams.getAll("callbackUrl").every(webAddress)) return new Response(null, { status: 400 });
  const callbackUrl = request.cookies.get(callbackCookieName())?.value;
  if (!callbackUrl || webAddress(callbackUrl)) return undefined;
  // Clear the cookie, so that the next attempt succeeds.
  const cookie = `${callbackCookieName()}=; Path=/; Max-Age=0; HttpOnly${env().https ? "; Secure" : ""}`;
  return new Response(null, { status: 400, headers: { "set-cookie": cookie } });
}

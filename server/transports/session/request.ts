import type { NextRequest } from "next/server";
import { env } from "@/server/core/env";
import { callbackCookieName } from "./cookie";

/** The actions of next-auth that the panel and the providers use, by method. Pages of its own are none of them. */
const ACTIONS: Record<string, readonly string[]> = {
  GET: ["session", "csrf", "providers", "callback", "signin", "error"],
  POST: ["session", "signin", "signout", "callback"],
};

/** next-auth's name of the exchange of a sign-in token for a session. */
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

/** Returns an address of ours to go to after a sign-in; the panel's own instead of any other. */
export function ownAddress(url: string): string {
  const { APP_URL } = env();
  const wanted = webAddress(url);
  return wanted?.origin === new URL(APP_URL).origin ? wanted.href : APP_URL;
}

function webAddress(url: string): URL | undefined {
  try {
    const wanted = new URL(url, url.startsWith("/") ? env().APP_URL : undefined);
    return /^https?:$/.test(wanted.protocol) ? wanted : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the response to a request that next-auth must not see, undefined for any other: 404 for an action that it
 * does not have, 400 for a callback URL or a body that it would fail on.
 */
export async function refusalOf(request: NextRequest): Promise<Response | undefined> {
  const { pathname, searchParams } = request.nextUrl;
  const [, , action = "", provider] = pathname.split("/");
  if (!ACTIONS[request.method]?.includes(action)) return new Response(null, { status: 404 });
  // Only identity providers redirect back.
  if (request.method === "GET" && action === "callback" && provider === TOKEN_PROVIDER)
    return new Response(null, { status: 404 });
  if (!(await hasReadableBody(request))) return new Response(null, { status: 400 });
  if (!searchParams.getAll("callbackUrl").every(webAddress)) return new Response(null, { status: 400 });
  const kept = request.cookies.get(callbackCookieName())?.value;
  if (!kept || webAddress(kept)) return undefined;
  // Forgotten, so that the next attempt succeeds.
  const cookie = `${callbackCookieName()}=; Path=/; Max-Age=0; HttpOnly${env().https ? "; Secure" : ""}`;
  return new Response(null, { status: 400, headers: { "set-cookie": cookie } });
}

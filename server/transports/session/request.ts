import type { NextRequest } from "next/server";
import { env } from "@/server/core/env";
import { getCallbackCookieName } from "./cookie";

const ALLOWED_ACTIONS: Record<string, readonly string[]> = {
  GET: ["session", "csrf", "providers", "callback", "signin", "error"],
  POST: ["session", "signin", "signout", "callback"],
};

/** next-auth provider that exchanges a sign-in token for a session. */
const SESSION_TOKEN_PROVIDER = "token";

async function hasNoMalformedJson(request: NextRequest): Promise<boolean> {
  if (!request.headers.get("content-type")?.includes("application/json")) return true;
  return request
    .clone()
    .json()
    .then(
      () => true,
      () => false,
    );
}

/** Falls back to the home page for a URL of another origin: prevents open redirects. */
export function toSafeRedirectUrl(url: string): string {
  const { APP_URL } = env();
  const parsedUrl = parseWebUrl(url);
  return parsedUrl?.origin === new URL(APP_URL).origin ? parsedUrl.href : APP_URL;
}

function parseWebUrl(url: string): URL | undefined {
  try {
    const parsedUrl = new URL(url, url.startsWith("/") ? env().APP_URL : undefined);
    return /^https?:$/.test(parsedUrl.protocol) ? parsedUrl : undefined;
  } catch {
    return undefined;
  }
}

/** Rejects malformed callback URLs and bodies, on which next-auth fails, and actions that we do not use. */
export async function rejectInvalidRequest(request: NextRequest): Promise<Response | undefined> {
  const { pathname, searchParams } = request.nextUrl;
  const [, , action = "", provider] = pathname.split("/");
  if (!ALLOWED_ACTIONS[request.method]?.includes(action)) return new Response(null, { status: 404 });
  if (request.method === "GET" && action === "callback" && provider === SESSION_TOKEN_PROVIDER)
    return new Response(null, { status: 404 });
  if (!(await hasNoMalformedJson(request))) return new Response(null, { status: 400 });
  if (!searchParams.getAll("callbackUrl").every(parseWebUrl)) return new Response(null, { status: 400 });
  const callbackUrl = request.cookies.get(getCallbackCookieName())?.value;
  if (!callbackUrl || parseWebUrl(callbackUrl)) return undefined;
  // Clear the cookie, so that the next attempt succeeds.
  const cookie = `${getCallbackCookieName()}=; Path=/; Max-Age=0; HttpOnly${env().usesHttps ? "; Secure" : ""}`;
  return new Response(null, { status: 400, headers: { "set-cookie": cookie } });
}

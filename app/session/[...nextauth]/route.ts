import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { recordOutage } from "@/server/transports/pages/outage";
import { toAppError } from "@/server/transports/render-error";
import { sessionOptions } from "@/server/transports/session/options";
import { outcomeCookie, signInMethodCookie } from "@/server/transports/session/outcome";
import type { SessionRequest } from "@/server/transports/session/provider-sign-in";
import { rejectRequest } from "@/server/transports/session/request";

/** Serves next-auth outside /api/auth, which belongs to the API contract. */
async function session(request: NextRequest, context: RouteContext<"/session/[...nextauth]">) {
  const refusal = await rejectRequest(request);
  if (refusal) return refusal;
  const entry: SessionRequest = { request: await copyRequest(request) };
  const options = await sessionOptions(entry);
  const response: Response = await NextAuth(request as never, context as never, options);
  if (entry.failure) {
    recordOutage(toAppError(entry.failure));
    throw entry.failure;
  }
  if (entry.outcome) response.headers.append("set-cookie", outcomeCookie(entry.outcome));
  if (entry.provider) response.headers.append("set-cookie", signInMethodCookie(entry.provider));
  return response;
}

/**
 * Copies the request: next-auth consumes the body, and we read further fields. Built from parts, because Next
 * passes a proxy object that the NextRequest constructor rejects on Node.js 24.
 */
async function copyRequest(request: NextRequest): Promise<NextRequest> {
  const { url, method, headers } = request;
  const body = method === "POST" ? await request.clone().arrayBuffer() : null;
  return new NextRequest(url, { method, headers, body });
}

export { session as GET, session as POST };

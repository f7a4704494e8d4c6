import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { recordOutage } from "@/server/transports/pages/outage";
import { toAppError } from "@/server/transports/render-error";
import { createAuthOptions } from "@/server/transports/session/options";
import { formatLastMethodCookie, formatOutcomeCookie } from "@/server/transports/session/outcome-cookie";
import type { SessionRequestState } from "@/server/transports/session/provider-sign-in";
import { rejectInvalidRequest } from "@/server/transports/session/request";

/** Serves next-auth outside /api/auth, which belongs to the API contract. */
async function handleSession(request: NextRequest, context: RouteContext<"/session/[...nextauth]">) {
  const refusal = await rejectInvalidRequest(request);
  if (refusal) return refusal;
  const sessionRequest: SessionRequestState = { request: await copyRequest(request) };
  const options = await createAuthOptions(sessionRequest);
  const response: Response = await NextAuth(request as never, context as never, options);
  if (sessionRequest.failure) {
    recordOutage(toAppError(sessionRequest.failure));
    throw sessionRequest.failure;
  }
  if (sessionRequest.outcome)
    response.headers.append("set-cookie", formatOutcomeCookie(sessionRequest.outcome));
  if (sessionRequest.provider)
    response.headers.append("set-cookie", formatLastMethodCookie(sessionRequest.provider));
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

export { handleSession as GET, handleSession as POST };

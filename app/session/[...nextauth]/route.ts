import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { noteOutage } from "@/server/transports/pages/outage";
import { toAppError } from "@/server/transports/render-error";
import type { Entry } from "@/server/transports/session/entry";
import { sessionOptions } from "@/server/transports/session/options";
import { outcomeCookie, wayCookie } from "@/server/transports/session/outcome";
import { refusalOf } from "@/server/transports/session/request";

/** next-auth, off /api/auth: the contract owns that prefix. */
async function session(request: NextRequest, context: RouteContext<"/session/[...nextauth]">) {
  const refusal = await refusalOf(request);
  if (refusal) return refusal;
  const entry: Entry = { request: await copyOf(request) };
  const options = await sessionOptions(entry);
  const response: Response = await NextAuth(request as never, context as never, options);
  if (entry.failure) {
    noteOutage(toAppError(entry.failure));
    throw entry.failure;
  }
  if (entry.outcome) response.headers.append("set-cookie", outcomeCookie(entry.outcome));
  if (entry.way) response.headers.append("set-cookie", wayCookie(entry.way));
  return response;
}

/**
 * next-auth consumes the body; further fields of a provider's response are read from a copy. It is made of the parts,
 * because a route is handed a proxy, which the constructor refuses on Node.js 24.
 */
async function copyOf(request: NextRequest): Promise<NextRequest> {
  const { url, method, headers } = request;
  const body = method === "POST" ? await request.clone().arrayBuffer() : null;
  return new NextRequest(url, { method, headers, body });
}

export { session as GET, session as POST };

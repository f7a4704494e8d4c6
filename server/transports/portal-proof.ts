import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/server/core/env";
import { proofsAt } from "@/server/domains/tenancy/portals/service/check";
import { hostOf } from "./host";
import { securityHeaders } from "./rest/headers";

interface ProofResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The proofs of whoever claims the host of a request, as text; 404 at a host that nobody claims. */
async function responseTo(host: string | null): Promise<ProofResponse> {
  const body = await proofsAt(hostOf({ header: (name) => (name === "host" ? host : null) }));
  const headers = {
    ...securityHeaders(env().https),
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
  };
  return { status: body ? 200 : 404, headers, body };
}

/** Serves `/.well-known/tellal-portal` at the front door. */
export async function servePortalProof(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { status, headers, body } = await responseTo(req.headers.host ?? null);
  res.writeHead(status, headers).end(req.method === "HEAD" ? undefined : body);
}

/** The same as a Next route handler, for hosts without our front door. */
export async function portalProofRoute(request: Request): Promise<Response> {
  const { status, headers, body } = await responseTo(request.headers.get("host"));
  return new Response(body, { status, headers });
}

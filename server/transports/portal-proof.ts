import type { IncomingMessage, ServerResponse } from "node:http";
import { listProofs } from "@/server/domains/accounts/portals/service/check";
import { limitEndpoint, type PublicEndpoint, routeFailureResponse } from "./endpoint-limit";
import { clientAddress, hostOf } from "./request-origin";
import { securityHeaders } from "./rest/headers";

interface ProofResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const PROOFS: PublicEndpoint = { name: "portal_proof", misses: 300, hits: 6000 };

/** Returns the domain proofs of the accounts that claim this host; 404 without any. */
async function responseTo(hostHeader: string | null, ip: string): Promise<ProofResponse> {
  const host = hostOf({ header: (name) => (name === "host" ? hostHeader : null) });
  const body = await limitEndpoint(PROOFS, { ip, key: host ?? "", hasFound: Boolean }, () =>
    listProofs(host),
  );
  const headers = {
    ...securityHeaders(hostHeader),
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
  };
  return { status: body ? 200 : 404, headers, body };
}

export async function servePortalProof(req: IncomingMessage, res: ServerResponse, ip: string): Promise<void> {
  const { status, headers, body } = await responseTo(req.headers.host ?? null, ip);
  res.writeHead(status, headers).end(req.method === "HEAD" ? undefined : body);
}

export async function portalProofRoute(request: Request): Promise<Response> {
  const ip = clientAddress(null, request.headers.get("x-forwarded-for"));
  return responseTo(request.headers.get("host"), ip).then(
    ({ status, headers, body }) => new Response(body, { status, headers }),
    (error: unknown) => routeFailureResponse(error, request),
  );
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { loadProofText } from "@/server/domains/accounts/portals/service/check";
import { buildRouteFailureResponse, type EndpointLimit, limitEndpoint } from "./endpoint-limit";
import { getClientAddress, getRequestHost } from "./request-origin";
import { buildSecurityHeaders } from "./rest/headers";

interface ProofResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const PROOF_LIMIT: EndpointLimit = { name: "portal_proof", missesPerMinute: 300, hitsPerMinute: 6000 };

/** Returns the domain proofs of the accounts that claim this host; 404 without any. */
async function buildProofResponse(hostHeader: string | null, ip: string): Promise<ProofResponse> {
  const host = getRequestHost({ header: (name) => (name === "host" ? hostHeader : null) });
  const body = await limitEndpoint(PROOF_LIMIT, { ip, key: host ?? "", isHit: Boolean }, () =>
    loadProofText(host),
  );
  const headers = {
    ...buildSecurityHeaders(hostHeader),
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
  };
  return { status: body ? 200 : 404, headers, body };
}

export async function servePortalProof(req: IncomingMessage, res: ServerResponse, ip: string): Promise<void> {
  const { status, headers, body } = await buildProofResponse(req.headers.host ?? null, ip);
  res.writeHead(status, headers).end(req.method === "HEAD" ? undefined : body);
}

export async function servePortalProofRoute(request: Request): Promise<Response> {
  const ip = getClientAddress(null, request.headers.get("x-forwarded-for"));
  return buildProofResponse(request.headers.get("host"), ip).then(
    ({ status, headers, body }) => new Response(body, { status, headers }),
    (error: unknown) => buildRouteFailureResponse(error, request),
  );
}

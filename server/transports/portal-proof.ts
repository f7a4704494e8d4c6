import type { IncomingMessage, ServerResponse } from "node:http";
import { proofsAt } from "@/server/domains/accounts/portals/service/check";
import { type Door, failedResponse, limited } from "./door-limit";
import { clientAddress, hostOf } from "./request-origin";
import { securityHeaders } from "./rest/headers";

interface ProofResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const PROOFS: Door = { name: "portal_proof", misses: 300, hits: 6000 };

/** Returns the domain proofs of the accounts that claim this host; 404 without any. */
async function responseTo(hostHeader: string | null, ip: string): Promise<ProofResponse> {
  const host = hostOf({ header: (name) => (name === "host" ? hostHeader : null) });
  const body = await limited(PROOFS, { ip, key: host ?? "", hasFound: Boolean }, () => proofsAt(host));
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
    (error: unknown) => failedResponse(error, request),
  );
}

import { env } from "@/server/core/env";
import { getDemoPublicKey } from "@/server/domains/access/identities/demo.provider";

/** Returns the public key of the demo's identity provider. Not part of production. */
export function GET(): Response {
  if (env().production) return new Response(null, { status: 404 });
  return Response.json({ keys: [getDemoPublicKey()] });
}

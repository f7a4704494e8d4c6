import { env } from "@/server/core/env";
import { getDemoPublicKey } from "@/server/domains/access/identities/demo.provider";

export function GET(): Response {
  if (env().production) return new Response(null, { status: 404 });
  return Response.json({ keys: [getDemoPublicKey()] });
}

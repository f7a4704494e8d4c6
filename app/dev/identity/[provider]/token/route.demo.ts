import { env } from "@/server/core/env";
import { email } from "@/server/core/schema";
import { exchangeDemoCode, issueDemoIdToken } from "@/server/domains/access/identities/demo.provider";
import { isIdentityProvider, type ProviderRouteProps } from "../provider";

/** Exchanges a code for an id_token; `grant_type=demo` with `email` and `name` needs no code. */
export async function POST(request: Request, { params }: ProviderRouteProps): Promise<Response> {
  const { provider } = await params;
  if (env().production || !isIdentityProvider(provider)) return new Response(null, { status: 404 });
  const form = await request.formData();
  const readField = (name: string) => (typeof form.get(name) === "string" ? String(form.get(name)) : null);
  const idToken =
    readField("grant_type") === "demo"
      ? await issueTokenWithoutCode(readField)
      : await exchangeDemoCode(provider, readField("code") ?? "", readField("code_verifier"));
  if (!idToken) return Response.json({ error: "invalid_grant" }, { status: 400 });
  return Response.json(
    { access_token: "demo", token_type: "Bearer", expires_in: 300, id_token: idToken },
    { headers: { "cache-control": "no-store" } },
  );

  function issueTokenWithoutCode(read: typeof readField): Promise<string> | undefined {
    const parsedEmail = email.safeParse(read("email"));
    if (!parsedEmail.success || !isIdentityProvider(provider)) return undefined;
    return issueDemoIdToken({ provider, name: read("name") ?? "", email: parsedEmail.data });
  }
}

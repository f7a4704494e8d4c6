import { env } from "@/server/core/env";
import { email, line } from "@/server/core/schema";
import { demoCode, demoIssuer, demoRedirectUrl } from "@/server/domains/access/identities/demo.provider";
import { isProvider, type ProviderRouteProps, REQUEST_FIELDS } from "../provider";

/** Redirects to the sign-in with the chosen identity or a refusal. Not part of production. */
export async function POST(request: Request, { params }: ProviderRouteProps): Promise<Response> {
  const { provider } = await params;
  if (env().production || !isProvider(provider)) return new Response(null, { status: 404 });
  const form = await request.formData();
  const field = (name: string) => String(form.get(name) ?? "").trim();
  const returnUrl = new URL(demoRedirectUrl(provider));
  returnUrl.searchParams.set("state", field("state"));
  if (form.has("cancel")) {
    returnUrl.searchParams.set("error", "access_denied");
    return seeOther(returnUrl);
  }
  const name = line({ max: 255 }).safeParse(field("name"));
  const address = email.safeParse(field("email"));
  if (!name.success || !address.success || field("redirect_uri") !== demoRedirectUrl(provider)) {
    const retryUrl = new URL(demoIssuer(provider));
    for (const key of [...REQUEST_FIELDS, "name", "email"]) retryUrl.searchParams.set(key, field(key));
    retryUrl.searchParams.set("wrong", "1");
    return seeOther(retryUrl);
  }
  const person = { name: name.data, email: address.data };
  const code = demoCode({
    provider,
    ...person,
    nonce: field("nonce") || undefined,
    challenge: field("code_challenge") || undefined,
  });
  returnUrl.searchParams.set("code", code);
  return seeOther(returnUrl);
}

function seeOther(url: URL): Response {
  return new Response(null, { status: 303, headers: { location: url.href } });
}

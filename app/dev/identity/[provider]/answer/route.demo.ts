import { env } from "@/server/core/env";
import { email, textLine } from "@/server/core/schema";
import {
  getDemoIssuer,
  getDemoRedirectUrl,
  issueDemoCode,
} from "@/server/domains/access/identities/demo.provider";
import { AUTHORIZATION_REQUEST_FIELDS, isIdentityProvider, type ProviderRouteProps } from "../provider";

/** Redirects to the sign-in with the chosen identity or a refusal. Not part of production. */
export async function POST(request: Request, { params }: ProviderRouteProps): Promise<Response> {
  const { provider } = await params;
  if (env().production || !isIdentityProvider(provider)) return new Response(null, { status: 404 });
  const form = await request.formData();
  const getField = (name: string) => String(form.get(name) ?? "").trim();
  const returnUrl = new URL(getDemoRedirectUrl(provider));
  returnUrl.searchParams.set("state", getField("state"));
  if (form.has("cancel")) {
    returnUrl.searchParams.set("error", "access_denied");
    return seeOther(returnUrl);
  }
  const parsedName = textLine({ max: 255 }).safeParse(getField("name"));
  const parsedEmail = email.safeParse(getField("email"));
  if (
    !parsedName.success ||
    !parsedEmail.success ||
    getField("redirect_uri") !== getDemoRedirectUrl(provider)
  ) {
    const retryUrl = new URL(getDemoIssuer(provider));
    for (const key of [...AUTHORIZATION_REQUEST_FIELDS, "name", "email"])
      retryUrl.searchParams.set(key, getField(key));
    retryUrl.searchParams.set("wrong", "1");
    return seeOther(retryUrl);
  }
  const identity = { name: parsedName.data, email: parsedEmail.data };
  const code = issueDemoCode({
    provider,
    ...identity,
    nonce: getField("nonce") || undefined,
    challenge: getField("code_challenge") || undefined,
  });
  returnUrl.searchParams.set("code", code);
  return seeOther(returnUrl);
}

function seeOther(url: URL): Response {
  return new Response(null, { status: 303, headers: { location: url.href } });
}

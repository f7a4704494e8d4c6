import { type ExternalService, ExternalServiceError } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { readServiceJson } from "@/server/infrastructure/http/external-service";
import type { IdentityProvider } from "../contract";
import { panelSecret, providerOf } from "./providers";

/** An invalid code: accepted credentials cause `invalid_grant`, wrong ones another error. */
const NO_CODE = "self-check";

async function test(id: IdentityProvider): Promise<void> {
  const provider = providerOf(id);
  if (!provider) return;
  const secret = await panelSecret(id).catch((cause) => {
    throw new ExternalServiceError("refused", { cause });
  });
  if (!secret) return testKeys(provider.jwksUrl);
  const { body } = await readServiceJson({
    method: "POST",
    url: provider.tokenUrl,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: NO_CODE,
      client_id: provider.clientIds[0],
      client_secret: secret,
      redirect_uri: `${env().APP_URL}/session/callback/${id}`,
    }).toString(),
  });
  if (body.error === "invalid_grant") return;
  throw new ExternalServiceError(typeof body.error === "string" ? "refused" : "unexpected");
}

/** Without a secret only the public keys can be tested. */
async function testKeys(url: string): Promise<void> {
  const { status, body } = await readServiceJson({ method: "GET", url });
  if (status !== 200 || !Array.isArray(body.keys)) throw new ExternalServiceError("unexpected");
}

/** The demo provider is not an external service. */
const isSet = (id: IdentityProvider) => providerOf(id)?.demo === false;

export const parties = {
  google: {
    label: "Google",
    settings: "GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET",
    isSet: () => isSet("google"),
    test: () => test("google"),
  },
  apple: {
    label: "Apple",
    settings: "APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY",
    isSet: () => isSet("apple"),
    test: () => test("apple"),
  },
} satisfies Record<string, ExternalService>;

import type { OAuthConfig } from "next-auth/providers/oauth";
import type { IdentityProvider } from "@/server/domains/access/identities/contract";
import {
  findProvider,
  getPanelClientSecret,
  listPanelProviders,
} from "@/server/domains/access/identities/service/providers";

const PROVIDER_NAMES: Record<IdentityProvider, string> = { google: "Google", apple: "Apple" };

export async function buildOAuthProviders(): Promise<OAuthConfig<{ sub: string }>[]> {
  return Promise.all(
    listPanelProviders().map(async (id) => {
      const provider = findProvider(id)!;
      const isRealApple = id === "apple" && !provider.isDemo;
      return {
        id,
        name: PROVIDER_NAMES[id],
        type: "oauth",
        idToken: true,
        issuer: provider.issuers[0],
        clientId: provider.clientIds[0],
        clientSecret: await getPanelClientSecret(id),
        authorization: {
          url: provider.authorizeUrl,
          params: isRealApple
            ? { scope: "name email", response_mode: "form_post" }
            : { scope: "openid email profile", prompt: "select_account" },
        },
        token: provider.tokenUrl,
        jwks_endpoint: provider.jwksUrl,
        checks: ["pkce", "state", "nonce"],
        client: {
          token_endpoint_auth_method: "client_secret_post",
          id_token_signed_response_alg: provider.isDemo ? "ES256" : "RS256",
        },
        profile: ({ sub }) => ({ id: sub }),
      };
    }),
  );
}

import type { AuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import {
  exchangeForSession,
  findToken,
  revokeSession,
  SIGN_IN_LIFETIME_MS,
} from "@/server/domains/access/tokens/service/tokens";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { deriveKey } from "@/server/infrastructure/secrets/derive";
import { isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import { getCallbackCookieName, getCookieName, getSessionCookieName } from "./cookie";
import { type SessionRequestState, signInByProvider } from "./provider-sign-in";
import { buildOAuthProviders } from "./providers";
import { toSafeRedirectUrl } from "./request";

declare module "next-auth/jwt" {
  interface JWT {
    secret?: string;
  }
}
declare module "next-auth" {
  interface User {
    secret?: string;
  }
}

/** next-auth handles cookies and redirects only. Its cookie is the secret of our session row. */
export async function createAuthOptions(state: SessionRequestState): Promise<AuthOptions> {
  const access = withoutTransaction();
  const { usesHttps } = env();
  // next-auth drops the cookie on any error. Record the error, so that the route fails instead.
  const recordFailure = <T>(operation: Promise<T>) =>
    operation.catch((error: Error) => {
      state.failure = error;
      throw error;
    });
  // Apple responds with a cross-site form post, which only sends cookies with SameSite=None.
  const crossSiteCookieOptions = {
    httpOnly: true,
    sameSite: usesHttps ? "none" : "lax",
    path: "/",
    secure: usesHttps,
  } as const;
  const buildCheckCookie = (name: string) => ({
    name: getCookieName(`sign-in-${name}`),
    options: { ...crossSiteCookieOptions, maxAge: 900 },
  });
  return {
    secret: deriveKey("next-auth").toString("hex"),
    session: { strategy: "jwt", maxAge: SIGN_IN_LIFETIME_MS / 1000 },
    useSecureCookies: usesHttps,
    cookies: {
      sessionToken: {
        name: getSessionCookieName(),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: usesHttps },
      },
      callbackUrl: { name: getCallbackCookieName(), options: crossSiteCookieOptions },
      state: buildCheckCookie("state"),
      nonce: buildCheckCookie("nonce"),
      pkceCodeVerifier: buildCheckCookie("verifier"),
    },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in", verifyRequest: "/sign-in" },
    providers: [
      Credentials({
        id: "token",
        credentials: { token: {} },
        async authorize(credentials) {
          const token = credentials?.token;
          const session =
            typeof token === "string" && isWellFormedToken(token, "dsu")
              ? await recordFailure(exchangeForSession(access, token))
              : null;
          return session && { id: String(session.userId), secret: session.secret };
        },
      }),
      ...(await buildOAuthProviders()),
    ],
    jwt: {
      encode: async ({ token }) => token?.secret ?? "",
      decode: async ({ token }) => {
        if (!token || !isWellFormedToken(token, "dss")) return null;
        const session = await recordFailure(findToken(token, ["session"]));
        return session?.is_active ? { sub: String(session.user_id), secret: token } : null;
      },
    },
    callbacks: {
      redirect: ({ url }) => toSafeRedirectUrl(url),
      signIn: async ({ user, account }) => {
        if (account?.type !== "oauth") return true;
        const result = await signInByProvider(access, state, account);
        if (typeof result === "string") return result;
        Object.assign(user, { id: String(result.userId), secret: result.secret });
        return true;
      },
      jwt: async ({ token, user }) => (user?.secret ? { sub: user.id, secret: user.secret } : token),
      // Expose only that a session exists; pages read the profile themselves.
      session: async ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (token?.secret) await recordFailure(revokeSession(access, token.secret));
      },
    },
    logger: {
      error: (code) => code !== "JWT_SESSION_ERROR" && log.warn({ event: "session.error", code }),
      warn: () => {},
      debug: () => {},
    },
  };
}

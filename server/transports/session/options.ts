import type { AuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import {
  exchangeForSession,
  findToken,
  revokeSession,
  SIGN_IN_LIFE,
} from "@/server/domains/access/tokens/service/tokens";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { derivedKey } from "@/server/infrastructure/secrets/derive";
import { isToken } from "@/server/infrastructure/secrets/tokens";
import { callbackCookieName, cookieName, sessionCookieName } from "./cookie";
import { type SessionRequest, signInByProvider } from "./provider-sign-in";
import { oauthProviders } from "./providers";
import { ownUrl } from "./request";

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

/**
 * Configures next-auth as a cookie adapter without its own rules. Sign-ins end with a user token; this
 * exchanges it for a session row, whose secret is the cookie. Deleting the row signs out immediately.
 */
export async function sessionOptions(entry: SessionRequest): Promise<AuthOptions> {
  const work = withoutTransaction();
  const { https } = env();
  // next-auth treats an unavailable database as an ended session and drops the cookie: let the route fail
  // instead.
  const recordFailure = <T>(work: Promise<T>) =>
    work.catch((error: Error) => {
      entry.failure = error;
      throw error;
    });
  // Apple responds with a cross-site form post, which only sends cookies with SameSite=None.
  const crossSite = {
    httpOnly: true,
    sameSite: https ? "none" : "lax",
    path: "/",
    secure: https,
  } as const;
  const checkCookie = (name: string) => ({
    name: cookieName(`sign-in-${name}`),
    options: { ...crossSite, maxAge: 900 },
  });
  return {
    secret: derivedKey("next-auth").toString("hex"),
    session: { strategy: "jwt", maxAge: SIGN_IN_LIFE / 1000 },
    useSecureCookies: https,
    cookies: {
      sessionToken: {
        name: sessionCookieName(),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: https },
      },
      callbackUrl: { name: callbackCookieName(), options: crossSite },
      state: checkCookie("state"),
      nonce: checkCookie("nonce"),
      pkceCodeVerifier: checkCookie("verifier"),
    },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in", verifyRequest: "/sign-in" },
    providers: [
      Credentials({
        id: "token",
        credentials: { token: {} },
        async authorize(credentials) {
          const token = credentials?.token;
          const session =
            typeof token === "string" && isToken(token, "dsu")
              ? await recordFailure(exchangeForSession(work, token))
              : null;
          return session && { id: String(session.userId), secret: session.secret };
        },
      }),
      ...(await oauthProviders()),
    ],
    jwt: {
      encode: async ({ token }) => token?.secret ?? "",
      decode: async ({ token }) => {
        if (!token || !isToken(token, "dss")) return null;
        const session = await recordFailure(findToken(token, ["session"]));
        return session?.is_active ? { sub: String(session.user_id), secret: token } : null;
      },
    },
    callbacks: {
      redirect: ({ url }) => ownUrl(url),
      signIn: async ({ user, account }) => {
        if (account?.type !== "oauth") return true;
        const result = await signInByProvider(work, entry, account);
        if (typeof result === "string") return result;
        Object.assign(user, { id: String(result.userId), secret: result.secret });
        return true;
      },
      jwt: async ({ token, user }) => (user?.secret ? { sub: user.id, secret: user.secret } : token),
      // Expose only that there is a session; pages read the profile themselves.
      session: async ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (token?.secret) await recordFailure(revokeSession(work, token.secret));
      },
    },
    logger: {
      error: (code) => code !== "JWT_SESSION_ERROR" && log.warn({ event: "session.error", code }),
      warn: () => {},
      debug: () => {},
    },
  };
}

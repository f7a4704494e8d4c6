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
import { outside } from "@/server/infrastructure/database/transaction";
import { derivedKey } from "@/server/infrastructure/secrets/derive";
import { isToken } from "@/server/infrastructure/secrets/tokens";
import { callbackCookieName, cookieName, sessionCookieName } from "./cookie";
import { type Entry, signInByProvider } from "./entry";
import { oauthProviders } from "./providers";
import { ownAddress } from "./request";

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
 * next-auth as a cookie adapter, without rules of its own. Every sign-in ends with a user token from the gates; this
 * exchanges that token for a session row, and the cookie is that row's secret. Deleting the row signs the person out,
 * at once and everywhere.
 */
export async function sessionOptions(entry: Entry): Promise<AuthOptions> {
  const work = outside();
  const { https } = env();
  // next-auth takes a database that is away for a session that has ended, and drops the cookie: the route must know.
  const noted = <T>(work: Promise<T>) =>
    work.catch((error: Error) => {
      entry.failure = error;
      throw error;
    });
  // Apple responds with a form post from its own site, which carries only cookies with SameSite=None.
  const across = {
    httpOnly: true,
    sameSite: https ? "none" : "lax",
    path: "/",
    secure: https,
  } as const;
  const check = (name: string) => ({
    name: cookieName(`sign-in-${name}`),
    options: { ...across, maxAge: 900 },
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
      callbackUrl: { name: callbackCookieName(), options: across },
      state: check("state"),
      nonce: check("nonce"),
      pkceCodeVerifier: check("verifier"),
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
              ? await noted(exchangeForSession(work, token))
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
        const session = await noted(findToken(token, ["session"]));
        return session?.is_active ? { sub: String(session.user_id), secret: token } : null;
      },
    },
    callbacks: {
      redirect: ({ url }) => ownAddress(url),
      signIn: async ({ user, account }) => {
        if (account?.type !== "oauth") return true;
        const entered = await signInByProvider(work, entry, account);
        if (typeof entered === "string") return entered;
        Object.assign(user, { id: String(entered.userId), secret: entered.secret });
        return true;
      },
      jwt: async ({ token, user }) => (user?.secret ? { sub: user.id, secret: user.secret } : token),
      // The browser learns only that there is a session; pages read the profile themselves.
      session: async ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (token?.secret) await noted(revokeSession(work, token.secret));
      },
    },
    logger: {
      // A session that has ended is not an error.
      error: (code) => code !== "JWT_SESSION_ERROR" && log.warn({ event: "session.error", code }),
      warn: () => {},
      debug: () => {},
    },
  };
}

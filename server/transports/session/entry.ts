import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import type { Account } from "next-auth";
import { env } from "@/server/core/env";
import { truncated } from "@/server/core/graphemes";
import type { IdentityProvider } from "@/server/domains/access/identities/contract";
import { keepRefreshToken } from "@/server/domains/access/identities/service/waiting";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import type { Work } from "@/server/infrastructure/database/transaction";
import { renderError, toAppError } from "../render-error";
import { clientAddress } from "../request-origin";
import { panelContext } from "../trpc/init";
import { createCaller } from "../trpc/root";
import { callbackCookieName } from "./cookie";
import type { Outcome } from "./outcome";

/** One request to the session routes, and the outcome of its sign-in through a provider. */
export interface Entry {
  request: NextRequest;
  outcome?: Outcome;
  /** The provider whose sign-in began the session. */
  way?: IdentityProvider;
  /** What kept a session from being read or written. */
  failure?: Error;
}

/**
 * Signs in with the id_token of a provider's response: the same operation as REST, with the same limit and gates.
 * Returns the new session, or the page to go to instead. A signed-in person connects the identity to their account.
 */
export async function signInByProvider(
  work: Work,
  entry: Entry,
  account: Account,
): Promise<{ secret: string; userId: number } | string> {
  const provider = account.provider as IdentityProvider;
  const panel = panelContext({
    method: "POST",
    header: (name) => entry.request.headers.get(name),
    ip: clientAddress(null, entry.request.headers.get("x-forwarded-for")),
    requestId: randomUUID(),
  });
  const body = { id_token: account.id_token ?? "" };
  const { identities } = createCaller(panel);
  // A signed-in person can only be adding a sign-in method: the sign-in page redirects them.
  if (await panel.caller().catch(() => undefined)) {
    const ended = await identities.connect({ body: { provider, ...body } }).then(
      () => "connected",
      (error: Error) => toAppError(error.cause ?? error).code,
    );
    return `${env().APP_URL}/settings/security?identity=${ended}`;
  }
  try {
    const response =
      provider === "google"
        ? await identities.signInWithGoogle({ body })
        : await identities.signInWithApple({ body: { ...body, name: await nameOf(entry.request) } });
    if (provider === "apple" && account.refresh_token)
      await keepRefreshToken(work, {
        subject: account.providerAccountId,
        token: account.refresh_token,
        interimToken: "requires_2fa" in response ? response.interim_token : undefined,
      });
    if (!("requires_2fa" in response)) {
      const session = await exchangeForSession(work, response.token);
      if (session) {
        entry.way = provider;
        return session;
      }
      return `${signInPage(entry, provider)}&error=Callback`;
    }
    entry.outcome = {
      kind: "second_factor",
      token: response.interim_token,
      methods: response.available_methods,
    };
  } catch (error) {
    const known = toAppError((error as Error).cause ?? error);
    entry.outcome = { kind: "refused", body: renderError(known, panel.locale, { technical: false }) };
  }
  return signInPage(entry, provider);
}

function signInPage({ request }: Entry, provider: IdentityProvider): string {
  const { APP_URL } = env();
  const wanted = request.cookies.get(callbackCookieName())?.value ?? "";
  const next = wanted.startsWith(`${APP_URL}/`) ? wanted.slice(APP_URL.length) : "/dashboard";
  return `${APP_URL}/sign-in?via=${provider}&next=${encodeURIComponent(next)}`;
}

/** Apple sends the name next to the token, the first time only. */
async function nameOf(request: Request): Promise<string | null> {
  try {
    const user = JSON.parse(String((await request.formData()).get("user"))) as {
      name?: { firstName?: string; lastName?: string };
    };
    const name = truncated([user.name?.firstName, user.name?.lastName].filter(Boolean).join(" "), 255);
    return name || null;
  } catch {
    return null;
  }
}

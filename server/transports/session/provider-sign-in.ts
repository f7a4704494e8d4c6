import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import type { Account } from "next-auth";
import { env } from "@/server/core/env";
import { truncateGraphemes } from "@/server/core/graphemes";
import type { IdentityProvider } from "@/server/domains/access/identities/contract";
import { storeRefreshToken } from "@/server/domains/access/identities/service/pending-identity";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { renderError, toAppError } from "../render-error";
import { clientAddress } from "../request-origin";
import { panelContext } from "../trpc/init";
import { createCaller } from "../trpc/root";
import { callbackCookieName } from "./cookie";
import type { Outcome } from "./outcome";

export interface SessionRequest {
  request: NextRequest;
  outcome?: Outcome;
  provider?: IdentityProvider;
  failure?: Error;
}

/**
 * Signs in through the same operation as REST, with its limit and gates. Returns the new session or the page
 * to redirect to. A signed-in user connects the identity instead.
 */
export async function signInByProvider(
  work: DbAccess,
  entry: SessionRequest,
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
  // Signed-in users only add a sign-in method: the sign-in page redirects them.
  if (await panel.caller().catch(() => undefined)) {
    const result = await identities.connect({ body: { provider, ...body } }).then(
      () => "connected",
      (error: Error) => toAppError(error.cause ?? error).code,
    );
    return `${env().APP_URL}/settings/security?identity=${result}`;
  }
  try {
    const response =
      provider === "google"
        ? await identities.signInWithGoogle({ body })
        : await identities.signInWithApple({ body: { ...body, name: await nameOf(entry.request) } });
    if (provider === "apple" && account.refresh_token)
      await storeRefreshToken(work, {
        subject: account.providerAccountId,
        token: account.refresh_token,
        interimToken: "requires_2fa" in response ? response.interim_token : undefined,
      });
    if (!("requires_2fa" in response)) {
      const session = await exchangeForSession(work, response.token);
      if (session) {
        entry.provider = provider;
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
    const failure = toAppError((error as Error).cause ?? error);
    entry.outcome = { kind: "refused", body: renderError(failure, panel.locale, { technical: false }) };
  }
  return signInPage(entry, provider);
}

function signInPage({ request }: SessionRequest, provider: IdentityProvider): string {
  const { APP_URL } = env();
  const callbackUrl = request.cookies.get(callbackCookieName())?.value ?? "";
  const next = callbackUrl.startsWith(`${APP_URL}/`) ? callbackUrl.slice(APP_URL.length) : "/dashboard";
  return `${APP_URL}/sign-in?via=${provider}&next=${encodeURIComponent(next)}`;
}

/** Apple sends the name next to the token, on the first sign-in only. */
async function nameOf(request: Request): Promise<string | null> {
  try {
    const user = JSON.parse(String((await request.formData()).get("user"))) as {
      name?: { firstName?: string; lastName?: string };
    };
    const name = truncateGraphemes(
      [user.name?.firstName, user.name?.lastName].filter(Boolean).join(" "),
      255,
    );
    return name || null;
  } catch {
    return null;
  }
}

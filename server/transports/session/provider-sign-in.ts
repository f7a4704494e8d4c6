import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import type { Account } from "next-auth";
import { env } from "@/server/core/env";
import { truncateGraphemes } from "@/server/core/graphemes";
import type { IdentityProvider } from "@/server/domains/access/identities/contract";
import { storeAppleRefreshToken } from "@/server/domains/access/identities/service/pending-identity";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { renderError, toAppError } from "../render-error";
import { getClientAddress } from "../request-origin";
import { createPanelContext } from "../trpc/init";
import { createCaller } from "../trpc/root";
import { getCallbackCookieName } from "./cookie";
import type { ProviderSignInOutcome } from "./outcome-cookie";

/** Passes results between the route and next-auth's callbacks during one request. */
export interface SessionRequestState {
  request: NextRequest;
  outcome?: ProviderSignInOutcome;
  provider?: IdentityProvider;
  failure?: Error;
}

/**
 * Signs in with the operation of REST, with its limit and gates. A signed-in user connects the identity
 * instead. Returns the session, or the URL to redirect to.
 */
export async function signInByProvider(
  access: DbAccess,
  state: SessionRequestState,
  account: Account,
): Promise<{ secret: string; userId: number } | string> {
  const provider = account.provider as IdentityProvider;
  const ctx = createPanelContext({
    method: "POST",
    header: (name) => state.request.headers.get(name),
    ip: getClientAddress(null, state.request.headers.get("x-forwarded-for")),
    requestId: randomUUID(),
  });
  const body = { id_token: account.id_token ?? "" };
  const { identities } = createCaller(ctx);
  if (await ctx.getCaller().catch(() => undefined)) {
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
        : await identities.signInWithApple({ body: { ...body, name: await readAppleName(state.request) } });
    if (provider === "apple" && account.refresh_token)
      await storeAppleRefreshToken(access, {
        subject: account.providerAccountId,
        token: account.refresh_token,
        interimToken: "requires_2fa" in response ? response.interim_token : undefined,
      });
    if (!("requires_2fa" in response)) {
      const session = await exchangeForSession(access, response.token);
      if (session) {
        state.provider = provider;
        return session;
      }
      return `${buildSignInPageUrl(state, provider)}&error=Callback`;
    }
    state.outcome = {
      kind: "second_factor",
      token: response.interim_token,
      methods: response.available_methods,
    };
  } catch (error) {
    const failure = toAppError((error as Error).cause ?? error);
    state.outcome = { kind: "refused", body: renderError(failure, ctx.locale, { usesFixedText: false }) };
  }
  return buildSignInPageUrl(state, provider);
}

function buildSignInPageUrl({ request }: SessionRequestState, provider: IdentityProvider): string {
  const { APP_URL } = env();
  const callbackUrl = request.cookies.get(getCallbackCookieName())?.value ?? "";
  const next = callbackUrl.startsWith(`${APP_URL}/`) ? callbackUrl.slice(APP_URL.length) : "/dashboard";
  return `${APP_URL}/sign-in?via=${provider}&next=${encodeURIComponent(next)}`;
}

/** Apple sends the name next to the token, on the first sign-in only. */
async function readAppleName(request: Request): Promise<string | null> {
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

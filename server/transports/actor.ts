import type { Actor, Role, Scope, UserActor } from "@/server/core/context";
import type { AnyOperation } from "@/server/core/contract";
import { AppError, refuse } from "@/server/core/errors";
import { FALLBACK_LOCALE, isLocale, type Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { text } from "@/server/core/texts";
import type { Unread } from "@/server/core/unread";
import {
  type Along,
  findToken,
  type TokenWithOutput,
  touchToken,
} from "@/server/domains/access/tokens/service/tokens";
import {
  type FoundKey,
  findExternalKey,
  touchExternalKey,
} from "@/server/domains/sites/external-keys/service";
import { type FoundView, readView, VIEW_OF_SESSION } from "@/server/domains/tenancy/view-as/service/session";
import { isToken } from "@/server/infrastructure/secrets/tokens";
import { fromOwnPage } from "./request-origin";
import { readCookie, sessionCookieName } from "./session/cookie";

/** The actor of a request, and the language that the user has chosen. */
export interface Caller<A extends Actor = Actor> {
  actor: A;
  locale: Locale | null;
  /** The operation's output, where it was read together with the token. */
  output?: Unread | null;
  /** The signed-in user, while the actor is another account that they view as. */
  self?: UserActor;
  /** Whether a view as another account has just ended, and the user has not acknowledged it. */
  viewIsOver?: boolean;
  /** Whether the signed-in user must set up a second factor first. */
  isOverdue?: boolean;
}

/** What a request presents to prove who sends it; each kind is accepted in its own place only. */
export type Credential =
  | { bearer: string | null }
  | { session: string | null }
  /** `accepted`: whether the operation accepts site keys. Only then does the 401 of a widget key explain itself. */
  | { siteKey: string; accepted: boolean };

/**
 * Returns the bearer token of a request, or else a site's external key. The panel uploads and saves files with its cookie,
 * from our own pages only: a foreign page can send a form or follow a link, too.
 */
export function credentialOf(
  request: { header(name: string): string | null },
  { siteKey: accepted = false, upload, file }: AnyOperation,
): Credential {
  const bearer = request.header("authorization");
  const siteKey = request.header("x-api-key");
  if (bearer !== null) return { bearer };
  if (siteKey !== null) return { siteKey, accepted };
  const session = upload || file ? readCookie(request.header("cookie"), sessionCookieName()) : null;
  return session !== null && fromOwnPage(request) ? { session } : { bearer };
}

/**
 * Turns a credential into an actor; the only place that creates one. Throws `unauthenticated` for anything but a live
 * token of the right kind, `account_passive` for a passive account and for an agent of one.
 */
export async function authenticate(
  credential: Credential,
  from: { ip: string },
  along?: Along,
): Promise<Caller<UserActor>> {
  const found = await find(credential, along);
  if (!found) throw refuse("unauthenticated");
  if (!found.is_active || ("is_employer_active" in found && !found.is_employer_active))
    throw refuse("account_passive");
  // Not awaited: the request does not depend on a "last used" time, and must not fail because of it.
  touch(found, from.ip)?.catch((error: Error) =>
    log.warn({ event: "token.touch_failed", reason: error.message }),
  );
  const actor = actorOf(found);
  const locale = isLocale(found.locale) ? found.locale : null;
  // The key of a site does not sign in to the account, so its widget keeps working.
  const isOverdue = "is_overdue" in found && found.is_overdue === true;
  if (found.kind === "session" && found.output)
    return { ...viewing(actor, locale, readView(found.output.text), isOverdue), isOverdue };
  return { output: found.output, locale, actor, isOverdue };
}

type Found = TokenWithOutput | (FoundKey & { kind: "external_key"; abilities: string[]; output?: null });

/** Reads a view as another account together with the session. */
const VIEW: Along = { sql: VIEW_OF_SESSION, isSpent: async () => false };

/** Looks up a credential whose prefix and checksum are right. */
async function find(credential: Credential, along: Along | undefined): Promise<Found | undefined> {
  if ("siteKey" in credential) return findSiteKey(credential);
  if ("session" in credential) {
    const { session } = credential;
    return session && isToken(session, "dss") ? findToken(session, ["session"], VIEW) : undefined;
  }
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(credential.bearer ?? "")?.[1];
  return token && isToken(token, "dsu") ? findToken(token, ["sign_in", "api_key"], along) : undefined;
}

/**
 * Returns the site of an `X-API-Key`. It is found by digest, not by prefix, so that older keys with the widget's
 * prefix still work; a widget key, which every visitor can read, is refused with a hint.
 */
async function findSiteKey({
  siteKey: key,
  accepted,
}: Extract<Credential, { siteKey: string }>): Promise<Found | undefined> {
  const widget = isToken(key, "dsk");
  if (!widget && !isToken(key, "dse")) return undefined;
  const found = await findExternalKey(key);
  if (found) return { ...found, kind: "external_key", abilities: [] };
  if (widget && accepted)
    throw new AppError("widget_key_refused", { hint: text(FALLBACK_LOCALE, "errors.widget_key_refused") });
  return undefined;
}

function touch(found: Found, ip: string): Promise<unknown> | undefined {
  return found.kind === "external_key" ? touchExternalKey(found, ip) : touchToken(found, ip);
}

function actorOf(found: Found): UserActor {
  return {
    kind: "user",
    id: found.user_id,
    role: found.role,
    scope: mintScope(found),
    emailVerified: found.email_verified,
    fromProvider: found.from_provider,
    token: {
      id: found.id,
      kind: found.kind,
      abilities: found.abilities,
      createdAt: new Date(found.created_at),
    },
  };
}

/** The caller of a session that views as another account: that account, read-only, while the view is allowed. */
function viewing(
  self: UserActor,
  locale: Locale | null,
  view: FoundView,
  isOverdue: boolean,
): Caller<UserActor> {
  if (!view.is_open || isOverdue) return { actor: self, locale, viewIsOver: true };
  const { id, createdAt } = self.token;
  const actor: UserActor = {
    kind: "user",
    id: view.user_id,
    role: view.role,
    scope: mintScope(view),
    emailVerified: view.email_verified,
    fromProvider: view.from_provider,
    token: { id, kind: "session", abilities: ["read", "reseller:read"], createdAt },
    behalf: {
      viewId: view.id,
      actorId: self.id,
      actorName: view.actor_name,
      actorRole: self.role === "admin" ? "admin" : "reseller",
      targetName: view.name,
      expiresAt: new Date(view.expires_at),
      known: view.known,
    },
  };
  return { actor, locale, self };
}

/** The site of an agent who is assigned to none. */
const NO_SITE = -1;

function mintScope(found: {
  user_id: number;
  role: Role;
  is_agent_only: boolean;
  assigned_site_id: number | null;
  only_site?: number;
}): Scope {
  return {
    userId: found.user_id,
    role: found.role,
    isAgent: found.is_agent_only,
    onlySite: found.only_site ?? (found.is_agent_only ? (found.assigned_site_id ?? NO_SITE) : null),
  } as Scope;
}

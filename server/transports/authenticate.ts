import type { Actor, Role, Scope, UserActor } from "@/server/core/context";
import type { AnyOperation } from "@/server/core/contract";
import { AppError, refuse } from "@/server/core/errors";
import { FALLBACK_LOCALE, isLocale, type Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import type { RawUtf8 } from "@/server/core/raw-utf8";
import { text } from "@/server/core/texts";
import {
  type BundledOutput,
  findToken,
  recordTokenUse,
  type TokenWithOutput,
} from "@/server/domains/access/tokens/service/tokens";
import {
  type ExternalKeyRow,
  findExternalKey,
  touchExternalKey,
} from "@/server/domains/sites/external-keys/service";
import { readView, type StoredView, VIEW_OF_SESSION } from "@/server/domains/tenancy/view-as/service/session";
import { isToken } from "@/server/infrastructure/secrets/tokens";
import { isFromOwnPage } from "./request-origin";
import { readCookie, sessionCookieName } from "./session/cookie";

export interface Caller<A extends Actor = Actor> {
  actor: A;
  locale: Locale | null;
  /** The operation's output, if it was read in the same query as the token. */
  output?: RawUtf8 | null;
  /** The signed-in user during an impersonation, in which `actor` is the viewed account. */
  self?: UserActor;
  /** True after an impersonation has ended, until the user acknowledges it. */
  hasViewEnded?: boolean;
  /** The user must set up a second factor first. */
  isOverdue?: boolean;
}

/** Each kind is accepted in its own place only. */
export type Credential =
  | { bearer: string | null }
  | { session: string | null }
  /** `accepted`: the operation accepts site keys, so the 401 for a widget key may explain the difference. */
  | { siteKey: string; accepted: boolean };

/**
 * The session cookie counts only for uploads and files, and only from our own pages: a foreign page can also
 * send forms and follow links.
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
  return session !== null && isFromOwnPage(request) ? { session } : { bearer };
}

/**
 * Authenticates a credential; the only place that creates a user actor. Throws `unauthenticated` without a
 * live token of the right kind, and `account_passive` for a passive account and its agents.
 */
export async function authenticate(
  credential: Credential,
  from: { ip: string },
  along?: BundledOutput,
): Promise<Caller<UserActor>> {
  const row = await findCredential(credential, along);
  if (!row) throw refuse("unauthenticated");
  if (!row.is_active || ("is_employer_active" in row && !row.is_employer_active))
    throw refuse("account_passive");
  // Not awaited: the "last used" time must neither delay nor fail a request.
  recordUse(row, from.ip)?.catch((error: Error) =>
    log.warn({ event: "token.touch_failed", reason: error.message }),
  );
  const actor = actorOf(row);
  const locale = isLocale(row.locale) ? row.locale : null;
  // External keys are exempt from the two-factor requirement, so that widgets keep working.
  const isOverdue = "is_overdue" in row && row.is_overdue === true;
  if (row.kind === "session" && row.output)
    return {
      ...impersonatedCaller(actor, locale, readView(row.output.text), isOverdue),
      isOverdue,
    };
  return { output: row.output, locale, actor, isOverdue };
}

type CredentialRow =
  | TokenWithOutput
  | (ExternalKeyRow & { kind: "external_key"; abilities: string[]; output?: null });

const VIEW: BundledOutput = { sql: VIEW_OF_SESSION, isSpent: async () => false };

async function findCredential(
  credential: Credential,
  along: BundledOutput | undefined,
): Promise<CredentialRow | undefined> {
  if ("siteKey" in credential) return findSiteKey(credential);
  if ("session" in credential) {
    const { session } = credential;
    return session && isToken(session, "dss") ? findToken(session, ["session"], VIEW) : undefined;
  }
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(credential.bearer ?? "")?.[1];
  return token && isToken(token, "dsu") ? findToken(token, ["sign_in", "api_key"], along) : undefined;
}

/**
 * Found by digest: older keys have the widget's prefix. Widget keys, which every visitor can read, get a
 * hint.
 */
async function findSiteKey({
  siteKey: key,
  accepted,
}: Extract<Credential, { siteKey: string }>): Promise<CredentialRow | undefined> {
  const isWidgetKey = isToken(key, "dsk");
  if (!isWidgetKey && !isToken(key, "dse")) return undefined;
  const row = await findExternalKey(key);
  if (row) return { ...row, kind: "external_key", abilities: [] };
  if (isWidgetKey && accepted)
    throw new AppError("widget_key_refused", { hint: text(FALLBACK_LOCALE, "errors.widget_key_refused") });
  return undefined;
}

function recordUse(row: CredentialRow, ip: string): Promise<unknown> | undefined {
  return row.kind === "external_key" ? touchExternalKey(row, ip) : recordTokenUse(row, ip);
}

function actorOf(row: CredentialRow): UserActor {
  return {
    kind: "user",
    id: row.user_id,
    role: row.role,
    scope: mintScope(row),
    emailVerified: row.email_verified,
    fromProvider: row.from_provider,
    token: {
      id: row.id,
      kind: row.kind,
      abilities: row.abilities,
      createdAt: new Date(row.created_at),
    },
  };
}

function impersonatedCaller(
  self: UserActor,
  locale: Locale | null,
  view: StoredView,
  isOverdue: boolean,
): Caller<UserActor> {
  if (!view.is_open || isOverdue) return { actor: self, locale, hasViewEnded: true };
  const { id, createdAt } = self.token;
  const actor: UserActor = {
    kind: "user",
    id: view.user_id,
    role: view.role,
    scope: mintScope(view),
    emailVerified: view.email_verified,
    fromProvider: view.from_provider,
    token: { id, kind: "session", abilities: ["read", "reseller:read"], createdAt },
    impersonation: {
      viewId: view.id,
      actorId: self.id,
      actorName: view.actor_name,
      actorRole: self.role === "admin" ? "admin" : "reseller",
      targetName: view.name,
      expiresAt: new Date(view.expires_at),
      visibleContacts: view.known,
    },
  };
  return { actor, locale, self };
}

/** Matches no site: for agents without an assigned one. */
const NO_SITE = -1;

function mintScope(row: {
  user_id: number;
  role: Role;
  is_agent_only: boolean;
  assigned_site_id: number | null;
  only_site?: number;
}): Scope {
  return {
    userId: row.user_id,
    role: row.role,
    isAgent: row.is_agent_only,
    onlySite: row.only_site ?? (row.is_agent_only ? (row.assigned_site_id ?? NO_SITE) : null),
  } as Scope;
}

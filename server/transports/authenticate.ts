import type { Actor, Role, Scope, UserActor } from "@/server/core/context";
import type { AnyOperation } from "@/server/core/contract";
import { AppError, createError } from "@/server/core/errors";
import { FALLBACK_LOCALE, isLocale, type Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import type { RawUtf8 } from "@/server/core/raw-utf8";
import { formatText } from "@/server/core/texts";
import {
  type BundledOutput,
  findToken,
  recordTokenUse,
  type TokenWithOutput,
} from "@/server/domains/access/tokens/service/tokens";
import {
  type ExternalKeyWithOwner,
  findValidExternalKey,
  recordExternalKeyUse,
} from "@/server/domains/sites/external-keys/service";
import {
  parseStoredView,
  type StoredView,
  VIEW_OF_SESSION,
} from "@/server/domains/tenancy/view-as/service/session";
import { isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import { isFromOwnPage } from "./request-origin";
import { getSessionCookieName, readCookie } from "./session/cookie";

export interface Caller<A extends Actor = Actor> {
  actor: A;
  locale: Locale | null;
  bundledOutput?: RawUtf8 | null;
  /** Signed-in user of an impersonation; `actor` is the viewed account. */
  impersonator?: UserActor;
  /** True after an impersonation has ended, until the user acknowledges it. */
  hasImpersonationEnded?: boolean;
  isTwoFactorOverdue?: boolean;
}

/** A token of one kind is not accepted in place of another. */
export type Credential =
  | { bearer: string | null }
  | { session: string | null }
  /** If the operation accepts site keys, the 401 for a widget key has a hint. */
  | { siteKey: string; acceptsSiteKey: boolean };

/** Accepts the session cookie only for uploads and files of our own pages: foreign pages can send forms. */
export function readCredential(
  request: { header(name: string): string | null },
  { acceptsSiteKey: isSiteKeyAccepted = false, upload, file }: AnyOperation,
): Credential {
  const bearer = request.header("authorization");
  const siteKey = request.header("x-api-key");
  if (bearer !== null) return { bearer };
  if (siteKey !== null) return { siteKey, acceptsSiteKey: isSiteKeyAccepted };
  const session = upload || file ? readCookie(request.header("cookie"), getSessionCookieName()) : null;
  return session !== null && isFromOwnPage(request) ? { session } : { bearer };
}

/** Only this function creates a user actor. Throws `account_passive` for a passive account and its agents. */
export async function authenticate(
  credential: Credential,
  origin: { ip: string },
  bundledOutput?: BundledOutput,
): Promise<Caller<UserActor>> {
  const row = await findCredential(credential, bundledOutput);
  if (!row) throw createError("unauthenticated");
  if (!row.is_active || ("is_employer_active" in row && !row.is_employer_active))
    throw createError("account_passive");
  // Not awaited: the "last used" time must neither delay nor fail a request.
  recordUse(row, origin.ip)?.catch((error: Error) =>
    log.warn({ event: "token.touch_failed", reason: error.message }),
  );
  const actor = toActor(row);
  const locale = isLocale(row.locale) ? row.locale : null;
  // External keys have no two-factor requirement: widgets must keep working.
  const isOverdue = "is_overdue" in row && row.is_overdue === true;
  // The bundled output of a session is its impersonation (IMPERSONATION_OUTPUT).
  if (row.kind === "session" && row.output)
    return {
      ...toImpersonatedCaller(actor, locale, parseStoredView(row.output.text), isOverdue),
      isTwoFactorOverdue: isOverdue,
    };
  return { bundledOutput: row.output, locale, actor, isTwoFactorOverdue: isOverdue };
}

type CredentialRow =
  | TokenWithOutput
  | (ExternalKeyWithOwner & { kind: "external_key"; abilities: string[]; output?: null });

const IMPERSONATION_OUTPUT: BundledOutput = { sql: VIEW_OF_SESSION, isLimitReached: async () => false };

async function findCredential(
  credential: Credential,
  bundledOutput: BundledOutput | undefined,
): Promise<CredentialRow | undefined> {
  if ("siteKey" in credential) return findSiteKey(credential);
  if ("session" in credential) {
    const { session } = credential;
    return session && isWellFormedToken(session, "dss")
      ? findToken(session, ["session"], IMPERSONATION_OUTPUT)
      : undefined;
  }
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(credential.bearer ?? "")?.[1];
  return token && isWellFormedToken(token, "dsu")
    ? findToken(token, ["sign_in", "api_key"], bundledOutput)
    : undefined;
}

/** Site keys of earlier versions share the prefix `dsk`. An unknown key with it gets an error with a hint. */
async function findSiteKey({
  siteKey: key,
  acceptsSiteKey,
}: Extract<Credential, { siteKey: string }>): Promise<CredentialRow | undefined> {
  const isWidgetKey = isWellFormedToken(key, "dsk");
  if (!isWidgetKey && !isWellFormedToken(key, "dse")) return undefined;
  const row = await findValidExternalKey(key);
  if (row) return { ...row, kind: "external_key", abilities: [] };
  if (isWidgetKey && acceptsSiteKey)
    throw new AppError("widget_key_refused", {
      hint: formatText(FALLBACK_LOCALE, "errors.widget_key_refused"),
    });
  return undefined;
}

function recordUse(row: CredentialRow, ip: string): Promise<unknown> | undefined {
  return row.kind === "external_key" ? recordExternalKeyUse(row, ip) : recordTokenUse(row, ip);
}

function toActor(row: CredentialRow): UserActor {
  return {
    kind: "user",
    id: row.user_id,
    role: row.role,
    scope: createScope(row),
    emailVerified: row.email_verified,
    isFromProvider: row.from_provider,
    token: {
      id: row.id,
      kind: row.kind,
      abilities: row.abilities,
      createdAt: new Date(row.created_at),
    },
  };
}

function toImpersonatedCaller(
  impersonator: UserActor,
  locale: Locale | null,
  view: StoredView,
  isOverdue: boolean,
): Caller<UserActor> {
  if (!view.is_open || isOverdue) return { actor: impersonator, locale, hasImpersonationEnded: true };
  const { id, createdAt } = impersonator.token;
  const actor: UserActor = {
    kind: "user",
    id: view.user_id,
    role: view.role,
    scope: createScope(view),
    emailVerified: view.email_verified,
    isFromProvider: view.from_provider,
    token: { id, kind: "session", abilities: ["read", "reseller:read"], createdAt },
    impersonation: {
      viewAsId: view.id,
      actorId: impersonator.id,
      actorName: view.actor_name,
      actorRole: impersonator.role === "admin" ? "admin" : "reseller",
      targetName: view.name,
      expiresAt: new Date(view.expires_at),
      visibleContacts: view.visible_contacts,
    },
  };
  return { actor, locale, impersonator };
}

/** Matches no site: for agents without an assigned one. */
const NO_SITE_ID = -1;

function createScope(row: {
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
    onlySiteId: row.only_site ?? (row.is_agent_only ? (row.assigned_site_id ?? NO_SITE_ID) : null),
  } as Scope;
}

import { createError } from "./errors";
import { FALLBACK_LOCALE, type Locale } from "./locale";
import type { Database, Sql } from "./sql";

export type Role = "user" | "reseller" | "admin";

declare const scopeBrand: unique symbol;

/** Data that a caller can access. Only `transports/actor.ts` creates it, and tenant queries require it. */
export type Scope = {
  readonly [scopeBrand]: true;
  readonly userId: number;
  readonly role: Role;
  /** Site that an agent or an external key is limited to; -1 matches none. */
  readonly onlySiteId: number | null;
  readonly isAgent: boolean;
};

/** Account behind a request: authenticated by bearer token, the panel's cookie or a site's external key. */
export interface UserActor {
  kind: "user";
  id: number;
  role: Role;
  scope: Scope;
  emailVerified: boolean;
  /** Signed up with Google or Apple; only such accounts can lack mandatory consents. */
  isFromProvider: boolean;
  token: {
    id: number;
    kind: "sign_in" | "api_key" | "session" | "external_key";
    abilities: string[];
    createdAt: Date;
  };
  /** Set during impersonation, which is read-only and needs the account's permission. */
  impersonation?: Impersonation;
}

interface Impersonation {
  viewAsId: number;
  actorId: number;
  actorName: string;
  actorRole: "reseller" | "admin";
  targetName: string;
  expiresAt: Date;
  /** Email addresses and phone numbers of these two users; all others are masked. */
  visibleContacts: readonly string[];
}

export type Actor = UserActor | { kind: "anonymous" } | { kind: "system" };

/** Call with an `Idempotency-Key`. Its response is stored for a day. */
export interface IdempotentCall {
  operation: string;
  status: number;
  key: string;
  inputHash: Buffer;
  isReplay: boolean;
}

export interface Context<A extends Actor = Actor> {
  actor: A;
  requestId: string;
  ip: string;
  userAgent: string | null;
  acceptLanguage: string | null;
  /** Host of the request, from `getRequestHost`. Selects a portal. Untrusted: never use it in links. */
  host: string | null;
  /** `Origin`, or else `Referer`, of the page that sent the request; REST only. Untrusted. */
  pageUrl?: string | null;
  /** Number of addresses in X-Forwarded-For; REST only. */
  forwardedHops?: number;
  locale: Locale;
  /** Set for `idempotent` operations if the client sent a key. */
  idempotentCall?: IdempotentCall;
  db: Database;
  /** Named statements on the pool, or in the current transaction. */
  sql: Sql;
}

/** Returns the context of work without a request, such as a job. */
export function createSystemContext(access: Pick<Context, "db" | "sql">): Context {
  return {
    ...access,
    actor: { kind: "system" },
    requestId: "",
    ip: "",
    userAgent: null,
    acceptLanguage: null,
    host: null,
    locale: FALLBACK_LOCALE,
  };
}

export function requireAdministrator({ role }: Pick<UserActor, "role">): void {
  if (role !== "admin") throw createError("forbidden");
}

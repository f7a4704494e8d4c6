import { refuse } from "./errors";
import { FALLBACK_LOCALE, type Locale } from "./locale";
import type { Database, Sql } from "./sql";

export type Role = "user" | "reseller" | "admin";

declare const minted: unique symbol;

/**
 * Whose data a caller reaches (docs/contract.md 5.6). Only `transports/actor.ts` creates one, and every query of
 * tenant data requires one, so that a query without a scope does not compile.
 */
export type Scope = {
  readonly [minted]: true;
  readonly userId: number;
  readonly role: Role;
  /** An agent, or a site's external key, reaches exactly this site; -1 matches none. */
  readonly onlySite: number | null;
  readonly isAgent: boolean;
};

/**
 * The account a request acts for: a person with a bearer token or the panel's cookie, or a server with a site's key.
 */
export interface UserActor {
  kind: "user";
  id: number;
  role: Role;
  scope: Scope;
  emailVerified: boolean;
  /** Signed up through Google or Apple: only such an account can lack mandatory consents. */
  fromProvider: boolean;
  token: {
    id: number;
    kind: "sign_in" | "api_key" | "session" | "external_key";
    abilities: string[];
    createdAt: Date;
  };
  /** Somebody else looks at this account's panel, with its permission. Such a caller changes nothing. */
  behalf?: Behalf;
}

/** A view as another person: who looks, and until when. */
interface Behalf {
  viewId: number;
  actorId: number;
  actorName: string;
  actorRole: "reseller" | "admin";
  targetName: string;
  expiresAt: Date;
  /** Addresses and telephones of these two people; those of all others are masked. */
  known: readonly string[];
}

export type Actor = UserActor | { kind: "anonymous" } | { kind: "system" };

/** A call that its client may repeat under a key of its own: the response is kept for a day. */
export interface Repeatable {
  operation: string;
  /** Status of the response. */
  status: number;
  key: string;
  inputHash: Buffer;
  /** Whether the response is the one of an earlier call. */
  replayed: boolean;
}

/** Everything an operation may know about the request. */
export interface Context<A extends Actor = Actor> {
  actor: A;
  requestId: string;
  /** Address of the client; IPv6 clients are counted by their /64. */
  ip: string;
  userAgent: string | null;
  acceptLanguage: string | null;
  /** Host of the request, as {@link hostOf} spells it. It selects a portal and never appears in a link. */
  host: string | null;
  /** How many addresses the request's X-Forwarded-For names: one by each proxy that appends. REST alone knows. */
  forwarded?: number;
  /** Language of texts in the response. */
  locale: Locale;
  /** Given for an operation that says `idempotent`, when the client sent a key. */
  repeatable?: Repeatable;
  /** Prisma, or the transaction that `withTransaction` opened. */
  db: Database;
  /** Named statements, on the pool or in the transaction. */
  sql: Sql;
}

/** The context of work that no request caused. */
export function systemContext(work: Pick<Context, "db" | "sql">): Context {
  return {
    ...work,
    actor: { kind: "system" },
    requestId: "",
    ip: "",
    userAgent: null,
    acceptLanguage: null,
    host: null,
    locale: FALLBACK_LOCALE,
  };
}

/** Throws `forbidden` for everybody but administrators. */
export function requireAdministrator({ role }: Pick<UserActor, "role">): void {
  if (role !== "admin") throw refuse("forbidden");
}

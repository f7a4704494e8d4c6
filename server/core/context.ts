import type { Database } from "@/server/infrastructure/database/client";
import type { Sql } from "@/server/infrastructure/database/sql";
import { FALLBACK_LOCALE, type Locale } from "./locale";

export type Role = "user" | "reseller" | "admin";

declare const minted: unique symbol;

/**
 * Whose data a caller reaches (contract 5, rule 6; decisions: cascade). Only `transports/actor.ts` mints
 * one, and every query of tenant data takes one, so that a query without a scope does not compile.
 */
export type Scope = {
  readonly [minted]: true;
  readonly userId: number;
  readonly role: Role;
  /** An agent, or a site's external key, reaches exactly this site; -1 names none. */
  readonly onlySite: number | null;
  readonly isAgent: boolean;
};

/** Who calls for an account: a person by a bearer token or the panel's cookie, or a server by a site's key. */
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
}

export type Actor = UserActor | { kind: "anonymous" } | { kind: "system" };

/** Everything an operation may know about the request that caused it. */
export interface Context<A extends Actor = Actor> {
  actor: A;
  requestId: string;
  /** Address of the client; IPv6 clients are cut to their /64 where they are counted. */
  ip: string;
  userAgent: string | null;
  acceptLanguage: string | null;
  /** Host the client came by, in the spelling of {@link hostOf}: it chooses a portal, and never makes a link. */
  host: string | null;
  /** Language of texts in the answer. */
  locale: Locale;
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

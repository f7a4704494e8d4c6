import type { Actor, Role, Scope, UserActor } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import { isLocale, type Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { type FoundToken, findToken, touchToken } from "@/server/domains/tokens/service/tokens";
import { isToken } from "@/server/infrastructure/secrets/tokens";

/** Who calls, and the language that person chose. */
export interface Caller<A extends Actor = Actor> {
  actor: A;
  locale: Locale | null;
}

/** What a request brought to prove who sends it; each kind is accepted in its own place only. */
export type Credential = { bearer: string | null } | { session: string | null };

/**
 * Turns a credential into an actor: the only place where one is made. Throws `unauthenticated` for
 * anything that is not a live token of the right kind, `account_passive` for a passive account.
 */
export async function authenticate(credential: Credential, from: { ip: string }): Promise<Caller<UserActor>> {
  const found = await find(credential);
  if (!found) throw refuse("unauthenticated");
  if (!found.is_active) throw refuse("account_passive");
  // Not awaited: nobody waits for a "last used" time, and a failure of it fails no request.
  touchToken(found, from.ip)?.catch((error: Error) =>
    log.warn({ event: "token.touch_failed", reason: error.message }),
  );
  return {
    locale: isLocale(found.locale) ? found.locale : null,
    actor: {
      kind: "user",
      id: found.user_id,
      role: found.role,
      scope: mintScope(found),
      emailVerified: found.email_verified,
      token: {
        id: found.id,
        kind: found.kind,
        abilities: found.abilities,
        createdAt: new Date(found.created_at),
      },
    },
  };
}

async function find(credential: Credential): Promise<FoundToken | undefined> {
  if ("session" in credential) {
    const { session } = credential;
    return session && isToken(session, "dss") ? findToken(session, ["session"]) : undefined;
  }
  const token = /^Bearer ([\x21-\x7e]+)$/.exec(credential.bearer ?? "")?.[1];
  return token && isToken(token, "dsu") ? findToken(token, ["sign_in", "api_key"]) : undefined;
}

function mintScope(found: {
  user_id: number;
  role: Role;
  is_agent_only: boolean;
  assigned_site_id: number | null;
}): Scope {
  return {
    userId: found.user_id,
    role: found.role,
    isAgent: found.is_agent_only,
    agentOfSite: found.is_agent_only ? found.assigned_site_id : null,
  } as Scope;
}

import type { Context, UserActor } from "@/server/core/context";
import type { Answer } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { maskEmail } from "@/server/core/mask";
import { fromNow, isoMicros, MINUTE } from "@/server/core/time";
import type { Work } from "@/server/infrastructure/database/transaction";
import {
  type Forecast,
  type getDeletionForecast,
  LONG_WORD,
  type Reason,
  type TopicCount,
  WORD_MINUTES,
  WORDS,
} from "../contract";
import { COUNTED, keptUntil, POLICY } from "../policy";

export interface Prospect extends Forecast {
  topics: TopicCount[];
}

interface Trace {
  sites: number;
  sites_ever: boolean;
  subscriptions: boolean;
  licences: boolean;
  credits: boolean;
  agreement: boolean;
  agents: number;
}

/** What would become of an account now: whether its trace forbids to delete it, and what each kind of row means. */
export async function foresee({ sql }: Pick<Work, "sql">, userId: number): Promise<Prospect> {
  const [trace] = await sql<Trace>`
    select (select count(*)::int from sites where user_id = u.id) as sites,
           exists (select from sites where user_id = u.id)
             or exists (select from audit_events where actor_id = u.id and action = 'site.created') as sites_ever,
           exists (select from subscriptions where user_id = u.id) as subscriptions,
           exists (select from site_licences where user_id = u.id) as licences,
           exists (select from credit_entries where user_id = u.id and reason not in ('welcome', 'usage')) as credits,
           exists (select from resellers where user_id = u.id and agreement_signed_at is not null) as agreement,
           (select count(*)::int from users a where a.parent_user_id = u.id and a.is_agent_only) as agents
      from users u where u.id = ${userId}`;
  const reasons: Reason[] = trace
    ? [
        ...(trace.sites_ever ? ["sites" as const] : []),
        ...(["subscriptions", "licences", "credits", "agreement"] as const).filter((reason) => trace[reason]),
      ]
    : [];
  const mode = reasons.length > 0 ? "anonymize" : "delete";
  return {
    mode,
    reasons,
    // Neither channel connections nor invoices have tables yet: there are none to lose.
    summary: { sites: trace?.sites ?? 0, connections: 0, invoices: 0, agents: trace?.agents ?? 0 },
    topics: await topicsOf({ sql }, userId, mode),
  };
}

async function topicsOf(
  { sql }: Pick<Work, "sql">,
  userId: number,
  mode: Forecast["mode"],
): Promise<TopicCount[]> {
  const [counts] = await sql<Record<string, number>>`
    with target as (select ${userId}::int as id) select ${COUNTED}`;
  const topics = new Map<string, TopicCount>();
  for (const { table, column, topic, rule } of POLICY) {
    const count = counts?.[`${table}.${column}`] ?? 0;
    if (count === 0) continue;
    const becomes =
      mode === "delete" && (rule === "keep" || (table === "users" && column === "id")) ? "delete" : rule;
    const key = `${topic} ${becomes}`;
    topics.set(key, { topic, rule: becomes, count: count + (topics.get(key)?.count ?? 0) });
  }
  return [...topics.values()];
}

/** Whether the typed word is enough: the sign-in is fresh, so the caller is who signed in. */
export function isFresh({ token }: UserActor): boolean {
  return token.createdAt > fromNow(-WORD_MINUTES * MINUTE);
}

/** Agents belong to their team and cannot end their own account. Throws `forbidden`. */
export function requireOwnAccount({ scope }: UserActor): void {
  if (scope.isAgent) throw refuse("forbidden");
}

export async function forecast(ctx: Context<UserActor>): Promise<Answer<typeof getDeletionForecast>> {
  requireOwnAccount(ctx.actor);
  const [user] = await ctx.sql<{ email: string }>`select email from users where id = ${ctx.actor.id}`;
  const prospect = await foresee(ctx, ctx.actor.id);
  return {
    success: true,
    ...prospect,
    masked_email: maskEmail(user?.email ?? ""),
    kept_until: prospect.mode === "anonymize" ? isoMicros(keptUntil(new Date())) : null,
    word_accepted: isFresh(ctx.actor),
    words: [...new Set([WORDS[ctx.locale], WORDS.tr, LONG_WORD, WORDS.en])],
  };
}

import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { maskEmail } from "@/server/core/mask";
import { childKeys } from "@/server/core/texts";
import { fromNow, isoMicros, MINUTE } from "@/server/core/time";
import { countPersonalData } from "@/server/domains/accounts/users/service/personal-data";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import {
  type Forecast,
  type getDeletionForecast,
  LONG_WORD,
  Reason,
  type TopicCount,
  WORD_MINUTES,
  WORDS,
} from "../contract";
import { keptUntil } from "../policy";

export interface DeletionForecast extends Forecast {
  topics: TopicCount[];
}

/** Forecasts whether records forbid a full deletion, and what happens to each kind of data. */
export async function forecastDeletion(work: DbAccess, userId: number): Promise<DeletionForecast> {
  const retained = await work.db.user.findUnique({ where: { id: userId }, select: RETAINED });
  const reasons = retained ? await reasonsOf(work, userId, retained) : [];
  const mode = reasons.length > 0 ? "anonymize" : "delete";
  return {
    mode,
    reasons,
    summary: {
      // Excludes deleted sites: they forbid a full deletion, but there is nothing left to lose.
      sites: await work.db.site.count({ where: { userId, deletedAt: null } }),
      connections: await work.db.connection.count({ where: { userId } }),
      // Kept for the legal period, but no longer accessible to the owner.
      invoices: await work.db.accountingDocument.count({ where: { payment: { userId }, state: "done" } }),
      agents: retained?._count.subUsers ?? 0,
    },
    topics: await topicsOf(work, userId, mode),
  };
}

/** Records that forbid a full deletion; welcome credits and their use do not. */
const RETAINED = {
  _count: {
    select: {
      sites: true,
      subscriptions: true,
      licences: true,
      payments: true,
      creditEntries: { where: { reason: { notIn: ["welcome", "usage"] } } },
      subUsers: { where: { isAgentOnly: true } },
    },
  },
  resellerDesk: { select: { agreementSignedAt: true } },
} as const satisfies Prisma.UserSelect;

async function reasonsOf(
  { db }: Pick<DbAccess, "db">,
  userId: number,
  { _count, resellerDesk }: Prisma.UserGetPayload<{ select: typeof RETAINED }>,
): Promise<Reason[]> {
  const hasRecords: Record<Reason, boolean> = {
    sites: _count.sites > 0 || (await hasCreatedSite({ db }, userId)),
    subscriptions: _count.subscriptions > 0,
    licences: _count.licences > 0,
    payments: _count.payments > 0,
    credits: _count.creditEntries > 0,
    agreement: Boolean(resellerDesk?.agreementSignedAt),
  };
  return Reason.options.filter((reason) => hasRecords[reason]);
}

/** True if the account ever created a site, even one that is deleted or belongs to another account now. */
async function hasCreatedSite({ db }: Pick<DbAccess, "db">, actorId: number): Promise<boolean> {
  const where = { actorId, action: "site.created" };
  return (await db.auditEvent.findFirst({ where, select: { id: true } })) !== null;
}

async function topicsOf(
  work: Pick<DbAccess, "sql">,
  userId: number,
  mode: Forecast["mode"],
): Promise<TopicCount[]> {
  const topics = new Map<string, TopicCount>();
  for (const { table, column, topic, onDeletion, count } of await countPersonalData(work, userId)) {
    const isDeleted = mode === "delete" && (onDeletion === "keep" || (table === "users" && column === "id"));
    const rule = isDeleted ? "delete" : onDeletion;
    const key = `${topic} ${rule}`;
    topics.set(key, { topic, rule, count: count + (topics.get(key)?.count ?? 0) });
  }
  const order = childKeys("deletion.topics");
  return [...topics.values()].sort((a, b) => order.indexOf(a.topic) - order.indexOf(b.topic));
}

/** True if the typed word is enough: a stolen old token cannot use it. */
export function isFresh({ token }: UserActor): boolean {
  return token.createdAt > fromNow(-WORD_MINUTES * MINUTE);
}

/** Throws `forbidden` for agents: their team manages their accounts. */
export function requireOwnAccount({ scope }: UserActor): void {
  if (scope.isAgent) throw refuse("forbidden");
}

export async function forecast(ctx: Context<UserActor>): Promise<Output<typeof getDeletionForecast>> {
  requireOwnAccount(ctx.actor);
  const user = await ctx.db.user.findUnique({ where: { id: ctx.actor.id }, select: { email: true } });
  const outcome = await forecastDeletion(ctx, ctx.actor.id);
  return {
    success: true,
    ...outcome,
    masked_email: maskEmail(user?.email ?? ""),
    kept_until: outcome.mode === "anonymize" ? isoMicros(keptUntil(new Date())) : null,
    word_accepted: isFresh(ctx.actor),
    words: [...new Set([WORDS[ctx.locale], WORDS.tr, LONG_WORD, WORDS.en])],
  };
}

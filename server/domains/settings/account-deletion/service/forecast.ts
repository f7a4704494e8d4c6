import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { maskEmail } from "@/server/core/mask";
import { listChildKeys } from "@/server/core/texts";
import { fromNow, MINUTE, toIsoMicros } from "@/server/core/time";
import { countPersonalData } from "@/server/domains/accounts/users/service/personal-data";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import {
  DELETION_WORD_VALID_MINUTES,
  DELETION_WORDS,
  type DeletionTopic,
  type Forecast,
  type getDeletionForecast,
  LONG_DELETION_WORD,
  Reason,
} from "../contract";
import { getRetentionEnd } from "../policy";

export interface DeletionForecast extends Forecast {
  topics: DeletionTopic[];
}

/** Forecasts whether records forbid a full deletion, and what happens to each kind of data. */
export async function forecastDeletion(tx: DbAccess, userId: number): Promise<DeletionForecast> {
  const records = await tx.db.user.findUnique({ where: { id: userId }, select: RETAINED_SELECT });
  const reasons = records ? await findRetentionReasons(tx, userId, records) : [];
  const mode = reasons.length > 0 ? "anonymize" : "delete";
  return {
    mode,
    reasons,
    summary: {
      // Excludes deleted sites: they have no content left, although they forbid a full deletion.
      sites: await tx.db.site.count({ where: { userId, deletedAt: null } }),
      connections: await tx.db.connection.count({ where: { userId } }),
      invoices: await tx.db.accountingDocument.count({ where: { payment: { userId }, state: "done" } }),
      agents: records?._count.subUsers ?? 0,
    },
    topics: await countTopics(tx, userId, mode),
  };
}

/** Records that forbid a full deletion; welcome credits and their use do not. */
const RETAINED_SELECT = {
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

async function findRetentionReasons(
  { db }: Pick<DbAccess, "db">,
  userId: number,
  { _count, resellerDesk }: Prisma.UserGetPayload<{ select: typeof RETAINED_SELECT }>,
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

async function countTopics(
  tx: Pick<DbAccess, "sql">,
  userId: number,
  mode: Forecast["mode"],
): Promise<DeletionTopic[]> {
  const topics = new Map<string, DeletionTopic>();
  for (const { table, column, topic, onDeletion, count } of await countPersonalData(tx, userId)) {
    const isDeleted = mode === "delete" && (onDeletion === "keep" || (table === "users" && column === "id"));
    const rule = isDeleted ? "delete" : onDeletion;
    const key = `${topic} ${rule}`;
    topics.set(key, { topic, rule, count: count + (topics.get(key)?.count ?? 0) });
  }
  const topicOrder = listChildKeys("deletion.topics");
  return [...topics.values()].sort((a, b) => topicOrder.indexOf(a.topic) - topicOrder.indexOf(b.topic));
}

/** After a recent sign-in, the typed word is enough. An older token may be stolen: it needs the code. */
export function isRecentSignIn({ token }: UserActor): boolean {
  return token.createdAt > fromNow(-DELETION_WORD_VALID_MINUTES * MINUTE);
}

/** Throws `forbidden` for agents: their team manages their accounts. */
export function requireNonAgent({ scope }: UserActor): void {
  if (scope.isAgent) throw createError("forbidden");
}

export async function getOwnDeletionForecast(
  ctx: Context<UserActor>,
): Promise<Output<typeof getDeletionForecast>> {
  requireNonAgent(ctx.actor);
  const user = await ctx.db.user.findUnique({ where: { id: ctx.actor.id }, select: { email: true } });
  const forecast = await forecastDeletion(ctx, ctx.actor.id);
  return {
    success: true,
    ...forecast,
    masked_email: maskEmail(user?.email ?? ""),
    kept_until: forecast.mode === "anonymize" ? toIsoMicros(getRetentionEnd(new Date())) : null,
    word_accepted: isRecentSignIn(ctx.actor),
    words: [
      ...new Set([DELETION_WORDS[ctx.locale], DELETION_WORDS.tr, LONG_DELETION_WORD, DELETION_WORDS.en]),
    ],
  };
}

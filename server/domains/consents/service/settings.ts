import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { AppError, invalid } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import {
  CONSENT_VERSIONS,
  CONSENTS,
  type Consents,
  type changeConsents,
  type getConsents,
  MANDATORY_CONSENTS,
} from "../contract";
import { lockLedger } from "./ledger";
import { changedMandatory, latestConsents, missingMandatory, recordConsents } from "./record";

/** Rows of the history that an answer carries, newest first. */
const HISTORY = 200;

/** What the caller has agreed to, since when, and how it came to be. */
export async function state({ sql, actor }: Context<UserActor>): Promise<Answer<typeof getConsents>> {
  return { success: true, ...(await describeConsents({ sql }, actor.id)) };
}

/**
 * Gives and withdraws consents. What would change nothing leaves no row. Throws `consents_mandatory` for a
 * mandatory one that is withdrawn.
 */
export async function change(
  ctx: Context<UserActor>,
  { body: { consents } }: Input<typeof changeConsents>,
): Promise<Answer<typeof changeConsents>> {
  const withdrawn = MANDATORY_CONSENTS.filter((key) => consents[key] === false);
  if (Object.values(consents).every((given) => given == null)) throw invalid("consents", "required");
  if (withdrawn.length > 0) throw new AppError("consents_mandatory", { missing_consents: withdrawn });
  return withTransaction(ctx, async (tx) => {
    const userId = ctx.actor.id;
    await lockLedger(tx);
    const news = await onlyNews(tx, userId, consents);
    const keys = Object.keys(news);
    if (keys.length > 0) {
      await recordConsents(tx, { userId, consents: news, source: "profile" });
      await audit(tx, {
        action: "consents.changed",
        object: { type: "User", id: userId },
        details: { keys: keys.join(" ") },
      });
    }
    const message = text(ctx.locale, "answers.consents_saved");
    return { success: true as const, message, ...(await describeConsents(tx, userId)) };
  });
}

/** What differs from what the account said last, to the text as it reads now. */
async function onlyNews({ sql }: Pick<Work, "sql">, userId: number, consents: Consents): Promise<Consents> {
  const latest = await latestConsents({ sql }, userId);
  const news = CONSENTS.filter((key) => {
    const [given, before] = [consents[key], latest.get(key)];
    if (given === undefined || given === null) return false;
    return before?.granted !== given || (given && before.text_version !== CONSENT_VERSIONS[key]);
  });
  return Object.fromEntries(news.map((key) => [key, consents[key]]));
}

async function describeConsents({ sql }: Pick<Work, "sql">, userId: number) {
  const [latest, missing, rows] = [
    await latestConsents({ sql }, userId),
    await missingMandatory({ sql }, userId),
    await sql<{
      id: number;
      key: (typeof CONSENTS)[number];
      granted: boolean;
      text_version: string;
      text_hash: string;
      locale: string;
      ip: string | null;
      source: string;
      created_at: Date;
      hash: Buffer | null;
    }>`
      select id, key, granted, text_version, text_hash, locale, ip, source, created_at, hash
        from consent_records where user_id = ${userId} order by id desc limit ${HISTORY}`,
  ];
  const consents = CONSENTS.map((key) => {
    const said = latest.get(key);
    return {
      key,
      mandatory: (MANDATORY_CONSENTS as readonly string[]).includes(key),
      granted: said?.granted ?? null,
      text_version: said?.text_version ?? null,
      current_version: CONSENT_VERSIONS[key],
      since: said ? isoMicros(said.created_at) : null,
      locale: said?.locale ?? null,
      ip: said?.ip ?? null,
      source: said?.source ?? null,
    };
  });
  const history = rows.map(({ hash, created_at, ...row }) => ({
    ...row,
    created_at: isoMicros(created_at),
    hash: hash?.toString("hex") ?? null,
  }));
  return {
    missing_consents: missing,
    changed_consents: changedMandatory(latest),
    consents,
    data: consents,
    history,
  };
}

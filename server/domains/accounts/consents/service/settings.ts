import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, createError, invalidField } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import {
  CONSENTS,
  type Consents,
  type changeConsents,
  type getConsents,
  MANDATORY_CONSENTS,
} from "../contract";
import { ENTRY_COLUMNS, toConsentEntry } from "../dto";
import { lockAccountForShare, lockLedger } from "../statements";
import {
  findMissingConsentKeys,
  findOutdatedConsentKeys,
  loadLatestConsents,
  recordConsents,
} from "./record";
import { buildPreviousOwnerRedactor } from "./redact";
import { loadCurrentTextVersions } from "./texts";

const HISTORY_LIMIT = 200;

export async function getOwnConsents(ctx: Context<UserActor>): Promise<Output<typeof getConsents>> {
  return { success: true, ...(await describeConsents(ctx, ctx.actor.id)) };
}

export async function changeOwnConsents(
  ctx: Context<UserActor>,
  { body: { consents } }: Input<typeof changeConsents>,
): Promise<Output<typeof changeConsents>> {
  const withdrawnKeys = MANDATORY_CONSENTS.filter((key) => consents[key] === false);
  if (Object.values(consents).every((answer) => answer == null)) throw invalidField("consents", "required");
  if (withdrawnKeys.length > 0) throw new AppError("consents_mandatory", { missing_consents: withdrawnKeys });
  return withTransaction(ctx, async (tx) => {
    const userId = ctx.actor.id;
    const [account] = await lockAccountForShare(tx, { userId });
    if (!account) throw createError("unauthenticated");
    await lockLedger(tx);
    const changedConsents = await findChangedConsents(tx, userId, consents);
    const changedKeys = Object.keys(changedConsents);
    if (changedKeys.length > 0) {
      await recordConsents(tx, { userId, consents: changedConsents, source: "profile" });
      await audit(tx, {
        action: "consents.changed",
        object: { type: "User", id: userId },
        details: { keys: changedKeys.join(" ") },
      });
    }
    const message = formatText(ctx.locale, "responses.consents_saved");
    return { success: true as const, message, ...(await describeConsents(tx, userId)) };
  });
}

async function findChangedConsents(tx: DbAccess, userId: number, consents: Consents): Promise<Consents> {
  const latestByKey = await loadLatestConsents(tx, userId);
  const currentVersions = await loadCurrentTextVersions(tx);
  const changedKeys = CONSENTS.filter((key) => {
    const [answer, latestAnswer] = [consents[key], latestByKey.get(key)];
    if (answer === undefined || answer === null) return false;
    return latestAnswer?.granted !== answer || (answer && latestAnswer.textVersion !== currentVersions[key]);
  });
  return Object.fromEntries(changedKeys.map((key) => [key, consents[key]]));
}

async function describeConsents(access: DbAccess, userId: number) {
  const latestByKey = await loadLatestConsents(access, userId);
  const currentVersions = await loadCurrentTextVersions(access);
  const missingKeys = await findMissingConsentKeys(access, userId);
  const historyRows = await access.db.consentRecord.findMany({
    where: { userId },
    orderBy: { id: "desc" },
    take: HISTORY_LIMIT,
    select: ENTRY_COLUMNS,
  });
  const redactOrigin = await buildPreviousOwnerRedactor(access, userId);
  const consents = CONSENTS.map((key) => {
    const latestAnswer = latestByKey.get(key);
    const shownAnswer = latestAnswer && redactOrigin(latestAnswer);
    return {
      key,
      mandatory: (MANDATORY_CONSENTS as readonly string[]).includes(key),
      granted: shownAnswer?.granted ?? null,
      text_version: shownAnswer?.textVersion ?? null,
      current_version: currentVersions[key],
      since: shownAnswer ? toIsoMicros(shownAnswer.createdAt) : null,
      locale: shownAnswer?.locale ?? null,
      ip: shownAnswer?.ip ?? null,
      source: shownAnswer?.source ?? null,
    };
  });
  return {
    missing_consents: missingKeys,
    changed_consents: findOutdatedConsentKeys(latestByKey, currentVersions),
    consents,
    data: consents,
    history: historyRows.map((row) => toConsentEntry(redactOrigin(row))),
  };
}

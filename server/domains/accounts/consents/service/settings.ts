import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, invalid, refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import {
  CONSENTS,
  type Consents,
  type changeConsents,
  type getConsents,
  MANDATORY_CONSENTS,
} from "../contract";
import { ENTRY, entryOf } from "../dto";
import { lockLedger, shareLockAccount } from "../statements";
import { changedMandatory, latestConsents, missingMandatory, recordConsents } from "./record";
import { redactPreviousOwner } from "./redact";
import { currentVersions } from "./texts";

const HISTORY = 200;

export async function get(ctx: Context<UserActor>): Promise<Output<typeof getConsents>> {
  return { success: true, ...(await describeConsents(ctx, ctx.actor.id)) };
}

/** Records changed consents. Throws `consents_mandatory` when the caller withdraws a mandatory one. */
export async function change(
  ctx: Context<UserActor>,
  { body: { consents } }: Input<typeof changeConsents>,
): Promise<Output<typeof changeConsents>> {
  const withdrawn = MANDATORY_CONSENTS.filter((key) => consents[key] === false);
  if (Object.values(consents).every((answer) => answer == null)) throw invalid("consents", "required");
  if (withdrawn.length > 0) throw new AppError("consents_mandatory", { missing_consents: withdrawn });
  return withTransaction(ctx, async (tx) => {
    const userId = ctx.actor.id;
    const [account] = await shareLockAccount(tx, { userId });
    if (!account) throw refuse("unauthenticated");
    await lockLedger(tx);
    const changes = await changedConsents(tx, userId, consents);
    const keys = Object.keys(changes);
    if (keys.length > 0) {
      await recordConsents(tx, { userId, consents: changes, source: "profile" });
      await audit(tx, {
        action: "consents.changed",
        object: { type: "User", id: userId },
        details: { keys: keys.join(" ") },
      });
    }
    const message = text(ctx.locale, "responses.consents_saved");
    return { success: true as const, message, ...(await describeConsents(tx, userId)) };
  });
}

/** Picks consents that differ from the newest decision, or agree to a newer text. */
async function changedConsents(tx: DbAccess, userId: number, consents: Consents): Promise<Consents> {
  const latest = await latestConsents(tx, userId);
  const versions = await currentVersions(tx);
  const changes = CONSENTS.filter((key) => {
    const [answer, before] = [consents[key], latest.get(key)];
    if (answer === undefined || answer === null) return false;
    return before?.granted !== answer || (answer && before.textVersion !== versions[key]);
  });
  return Object.fromEntries(changes.map((key) => [key, consents[key]]));
}

async function describeConsents(work: DbAccess, userId: number) {
  const latest = await latestConsents(work, userId);
  const versions = await currentVersions(work);
  const missing = await missingMandatory(work, userId);
  const rows = await work.db.consentRecord.findMany({
    where: { userId },
    orderBy: { id: "desc" },
    take: HISTORY,
    select: ENTRY,
  });
  const redact = await redactPreviousOwner(work, userId);
  const consents = CONSENTS.map((key) => {
    const newest = latest.get(key);
    const entry = newest && redact(newest);
    return {
      key,
      mandatory: (MANDATORY_CONSENTS as readonly string[]).includes(key),
      granted: entry?.granted ?? null,
      text_version: entry?.textVersion ?? null,
      current_version: versions[key],
      since: entry ? isoMicros(entry.createdAt) : null,
      locale: entry?.locale ?? null,
      ip: entry?.ip ?? null,
      source: entry?.source ?? null,
    };
  });
  return {
    missing_consents: missing,
    changed_consents: changedMandatory(latest, versions),
    consents,
    data: consents,
    history: rows.map((row) => entryOf(redact(row))),
  };
}

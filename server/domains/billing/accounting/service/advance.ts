import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { reasonOf } from "@/server/core/redact";
import { fromNow, MINUTE } from "@/server/core/time";
import { wake } from "@/server/domains/billing/payments/service/wake";
import { outside } from "@/server/infrastructure/database/transaction";
import { parasut } from "../parasut.provider";
import type { Step } from "../policy";
import { insertCall } from "../statements";
import { pause, readAccess, type Tokens, tokensOfRun } from "./access";
import { caller } from "./call";
import { Hold, HoldLost, type Row } from "./hold";
import { tellNeedsData, tellReady } from "./mail";
import { AccountingFailure } from "./provider";
import { ACTIONS, callsOf, type Result } from "./steps";
import { turnFor } from "./turn";

/** Pauses after failures that may pass, in milliseconds; the last one repeats without an end. */
const PAUSES = [1, 5, 15, 60].map((minutes) => minutes * MINUTE);

/**
 * Brings one invoice as far as it goes: each step looks first whether a lost answer did its work, makes one call that
 * changes something, and stores what came of it together with the next state. Nothing happens while somebody else holds
 * it, while everything is paused, or when no accounting service is set.
 */
export async function advance(id: number): Promise<void> {
  if (!env().parasut) return;
  const access = await readAccess();
  if (access.pausedAt) return;
  const hold = await Hold.take(id);
  if (!hold) return;
  try {
    const due = await proceed(hold, tokensOfRun(access));
    if (due) await wake(outside(), id, due);
  } catch (error) {
    if (error instanceof HoldLost) return;
    log.error({ event: "accounting.failed", document: id, reason: reasonOf(error) });
    await hold.release({ nextAt: fromNow(PAUSES[0]!) });
    throw error;
  }
}

/** Step after step. Returns when it is due again, if it is. */
async function proceed(hold: Hold, tokens: Tokens): Promise<Date | undefined> {
  let row = await hold.read();
  while (row) {
    if (!(row.state in ACTIONS)) return void (await hold.release());
    const step = row.state as Step | "cancelling";
    const wait = await turnFor(callsOf(row, step));
    if (wait > 0) return waits(hold, wait, {});
    const found = await attempt(hold, row, step, tokens);
    if (found instanceof AccountingFailure) {
      const after = await failed(hold, row, step, found);
      if (after instanceof Date) return after;
      row = after;
    } else if ("waits" in found) {
      return waits(hold, found.waits, {
        ...found.learned,
        attempts: { increment: 1 },
        problem: null,
        problemText: null,
      });
    } else {
      const done = found.to === "done" ? tellReady(row, found.learned?.documentNumber ?? "") : undefined;
      const moved = await hold.move(row, { ...found.learned, state: found.to, ...FRESH }, done);
      row = moved && { ...moved, isFresh: moved.isFresh && !found.found };
    }
  }
  return undefined;
}

/** A step begins without the troubles of the one before. */
const FRESH = { attempts: 0, nextAt: null, problem: null, problemText: null, missing: [], step: null };

async function attempt(
  hold: Hold,
  row: Row,
  step: Step | "cancelling",
  tokens: Tokens,
): Promise<Result | AccountingFailure> {
  const call = caller(async (record) => {
    await insertCall(outside(), { ...record, documentId: row.id, step });
  }, tokens);
  try {
    return await ACTIONS[step](row, { call, provider: parasut, keep: (learned) => hold.keep(learned) });
  } catch (error) {
    if (error instanceof AccountingFailure) return error;
    throw error;
  }
}

async function waits(
  hold: Hold,
  milliseconds: number,
  change: Parameters<Hold["release"]>[0],
): Promise<Date> {
  const nextAt = fromNow(milliseconds);
  await hold.release({ ...change, nextAt });
  return nextAt;
}

/** What becomes of a document whose step failed, by the class of the failure: when it is tried again, or how it stands now. */
async function failed(
  hold: Hold,
  row: Row,
  step: Step | "cancelling",
  { problem, words, more }: AccountingFailure,
): Promise<Date | Row | undefined> {
  log.warn({ event: "accounting.retry", document: row.id, step, problem, reason: words });
  const kept = { problem, problemText: words || null };
  switch (problem) {
    case "transient":
    case "protocol":
    case "storage": {
      const wait = more.wait ?? PAUSES[Math.min(row.attempts, PAUSES.length - 1)]!;
      return waits(hold, wait, { ...kept, attempts: { increment: more.wait ? 0 : 1 } });
    }
    case "credentials":
    case "refused":
      await pause(problem, words);
      await hold.release({ ...kept, nextAt: null });
      return undefined;
    case "data":
      if (step === "queued" || step === "contact") {
        const missing = more.missing ?? [];
        const change = {
          ...kept,
          state: "needs_data" as const,
          step: "queued" as const,
          missing,
          nextAt: null,
        };
        return hold.move(row, change, tellNeedsData(row, missing));
      }
      break;
    default:
  }
  return hold.move(row, { ...kept, state: "failed", step, nextAt: null });
}

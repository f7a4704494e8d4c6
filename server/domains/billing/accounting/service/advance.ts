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

/** Back-off in milliseconds; the last value repeats. */
const BACK_OFF = [1, 5, 15, 60].map((minutes) => minutes * MINUTE);

/**
 * Processes an invoice as far as possible. Each step checks whether an earlier call with a lost response took
 * effect, makes one changing call, and stores its result together with the next state. Does nothing while
 * another process holds the document, while invoicing is paused, or without an accounting service.
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
    await hold.release({ nextAt: fromNow(BACK_OFF[0]!) });
    throw error;
  }
}

/** Runs step after step. Returns when the document is due again, undefined if it is not. */
async function proceed(hold: Hold, tokens: Tokens): Promise<Date | undefined> {
  let row = await hold.read();
  while (row) {
    if (!(row.state in ACTIONS)) return void (await hold.release());
    const step = row.state as Step | "cancelling";
    const wait = await turnFor(callsOf(row, step));
    if (wait > 0) return waitFor(hold, wait, {});
    const result = await attempt(hold, row, step, tokens);
    if (result instanceof AccountingFailure) {
      const after = await handleFailure(hold, row, step, result);
      if (after instanceof Date) return after;
      row = after;
    } else if ("waits" in result) {
      return waitFor(hold, result.waits, {
        ...result.learned,
        attempts: { increment: 1 },
        problem: null,
        problemText: null,
      });
    } else {
      const sendMail =
        result.to === "done" ? tellReady(row, result.learned?.documentNumber ?? "") : undefined;
      const moved = await hold.move(row, { ...result.learned, state: result.to, ...CLEARED }, sendMail);
      row = moved && { ...moved, isFresh: moved.isFresh && !result.found };
    }
  }
  return undefined;
}

const CLEARED = { attempts: 0, nextAt: null, problem: null, problemText: null, missing: [], step: null };

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

async function waitFor(
  hold: Hold,
  milliseconds: number,
  change: Parameters<Hold["release"]>[0],
): Promise<Date> {
  const nextAt = fromNow(milliseconds);
  await hold.release({ ...change, nextAt });
  return nextAt;
}

/** Handles a failed step: returns the time of the retry, or the document in its new state. */
async function handleFailure(
  hold: Hold,
  row: Row,
  step: Step | "cancelling",
  { problem, words, more }: AccountingFailure,
): Promise<Date | Row | undefined> {
  log.warn({ event: "accounting.retry", document: row.id, step, problem, reason: words });
  const report = { problem, problemText: words || null };
  switch (problem) {
    case "transient":
    case "protocol":
    case "storage": {
      const wait = more.wait ?? BACK_OFF[Math.min(row.attempts, BACK_OFF.length - 1)]!;
      return waitFor(hold, wait, { ...report, attempts: { increment: more.wait ? 0 : 1 } });
    }
    case "credentials":
    case "refused":
      await pause(problem, words);
      await hold.release({ ...report, nextAt: null });
      return undefined;
    case "data":
      if (step === "queued" || step === "contact") {
        const missing = more.missing ?? [];
        const change = {
          ...report,
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
  return hold.move(row, { ...report, state: "failed", step, nextAt: null });
}

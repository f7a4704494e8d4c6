import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { errorReason } from "@/server/core/redact";
import { fromNow, MINUTE } from "@/server/core/time";
import { enqueueDocument } from "@/server/domains/billing/payments/service/enqueue-document";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { parasut } from "../parasut.provider";
import type { Step } from "../policy";
import { insertCall } from "../statements";
import { createTokenSource, pauseInvoicing, readAccess, type TokenSource } from "./access";
import { createCall } from "./call";
import { Lease, type LeasedDocument, LeaseLost } from "./lease";
import { notifyInvoiceReady, notifyMissingData } from "./mail";
import { AccountingFailure } from "./provider";
import { reserveCalls } from "./rate-limit";
import { ACTIONS, callsNeeded, type Result } from "./steps";

/** Back-off in milliseconds; the last value repeats. */
const BACK_OFF = [1, 5, 15, 60].map((minutes) => minutes * MINUTE);

/**
 * Processes an invoice as far as possible. Each step checks whether an earlier call with a lost response took
 * effect, makes one changing call, and stores its result together with the next state. Does nothing while
 * another process holds the document, while invoicing is paused, or without an accounting service.
 */
export async function processDocument(id: number): Promise<void> {
  if (!env().parasut) return;
  const access = await readAccess();
  if (access.pausedAt) return;
  const hold = await Lease.take(id);
  if (!hold) return;
  try {
    const due = await proceed(hold, createTokenSource(access));
    if (due) await enqueueDocument(withoutTransaction(), id, due);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    log.error({ event: "accounting.failed", document: id, reason: errorReason(error) });
    await hold.release({ nextAt: fromNow(BACK_OFF[0]!) });
    throw error;
  }
}

/** Runs step after step. Returns when the document is due again, undefined if it is not. */
async function proceed(hold: Lease, tokens: TokenSource): Promise<Date | undefined> {
  let row = await hold.read();
  while (row) {
    if (!(row.state in ACTIONS)) return void (await hold.release());
    const step = row.state as Step | "cancelling";
    const wait = await reserveCalls(callsNeeded(row, step));
    if (wait > 0) return waitFor(hold, wait, {});
    const result = await attempt(hold, row, step, tokens);
    if (result instanceof AccountingFailure) {
      const after = await handleFailure(hold, row, step, result);
      if (after instanceof Date) return after;
      row = after;
    } else if ("waitMs" in result) {
      return waitFor(hold, result.waitMs, {
        ...result.results,
        attempts: { increment: 1 },
        problem: null,
        problemText: null,
      });
    } else {
      const sendMail =
        result.to === "done" ? notifyInvoiceReady(row, result.results?.documentNumber ?? "") : undefined;
      const moved = await hold.move(row, { ...result.results, state: result.to, ...CLEARED }, sendMail);
      row = moved && { ...moved, isFresh: moved.isFresh && !result.isExisting };
    }
  }
  return undefined;
}

const CLEARED = { attempts: 0, nextAt: null, problem: null, problemText: null, missing: [], step: null };

async function attempt(
  hold: Lease,
  row: LeasedDocument,
  step: Step | "cancelling",
  tokens: TokenSource,
): Promise<Result | AccountingFailure> {
  const call = createCall(async (record) => {
    await insertCall(withoutTransaction(), { ...record, documentId: row.id, step });
  }, tokens);
  try {
    return await ACTIONS[step](row, {
      call,
      provider: parasut,
      saveResults: (learned) => hold.keep(learned),
    });
  } catch (error) {
    if (error instanceof AccountingFailure) return error;
    throw error;
  }
}

async function waitFor(
  hold: Lease,
  milliseconds: number,
  change: Parameters<Lease["release"]>[0],
): Promise<Date> {
  const nextAt = fromNow(milliseconds);
  await hold.release({ ...change, nextAt });
  return nextAt;
}

/** Handles a failed step: returns the time of the retry, or the document in its new state. */
async function handleFailure(
  hold: Lease,
  row: LeasedDocument,
  step: Step | "cancelling",
  { problem, words, more }: AccountingFailure,
): Promise<Date | LeasedDocument | undefined> {
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
      await pauseInvoicing(problem, words);
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
        return hold.move(row, change, notifyMissingData(row, missing));
      }
      break;
    default:
  }
  return hold.move(row, { ...report, state: "failed", step, nextAt: null });
}

import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { getErrorReason } from "@/server/core/redact";
import { fromNow, MINUTE } from "@/server/core/time";
import { enqueueDocument } from "@/server/domains/billing/payments/service/enqueue-document";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { parasut } from "../parasut.provider";
import type { Step } from "../policy";
import { insertCallRecord } from "../statements";
import { createTokenSource, pauseInvoicing, readStoredAccess, type TokenSource } from "./access";
import { createCallFunction } from "./call";
import { Lease, type LeasedDocument, LeaseLost } from "./lease";
import { createInvoiceReadyMailer, createMissingDataMailer } from "./mail";
import { AccountingFailure } from "./provider";
import { reserveCalls } from "./rate-limit";
import { countNeededCalls, STEP_ACTIONS, type StepOutcome } from "./steps";

/** Delays before retries; the last one repeats. */
const RETRY_DELAYS_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE);

/**
 * Runs steps as far as possible. Each step checks whether an earlier call with a lost response took
 * effect, makes one changing call, and stores its result together with the next state.
 */
export async function processDocument(id: number): Promise<void> {
  if (!env().parasut) return;
  const access = await readStoredAccess();
  if (access.pausedAt) return;
  const lease = await Lease.acquire(id);
  if (!lease) return;
  try {
    const nextRunAt = await runSteps(lease, createTokenSource(access));
    if (nextRunAt) await enqueueDocument(withoutTransaction(), id, nextRunAt);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    log.error({ event: "accounting.failed", document: id, reason: getErrorReason(error) });
    await lease.release({ nextAt: fromNow(RETRY_DELAYS_MS[0]!) });
    throw error;
  }
}

/** Runs one step after the other. Returns the time of the next run; undefined if none is needed. */
async function runSteps(lease: Lease, getToken: TokenSource): Promise<Date | undefined> {
  let row = await lease.read();
  while (row) {
    if (!(row.state in STEP_ACTIONS)) return void (await lease.release());
    const step = row.state as Step | "cancelling";
    const waitMs = await reserveCalls(countNeededCalls(row, step));
    if (waitMs > 0) return postpone(lease, waitMs, {});
    const result = await attemptStep(lease, row, step, getToken);
    if (result instanceof AccountingFailure) {
      const retryAtOrRow = await handleFailure(lease, row, step, result);
      if (retryAtOrRow instanceof Date) return retryAtOrRow;
      row = retryAtOrRow;
    } else if ("waitMs" in result) {
      return postpone(lease, result.waitMs, {
        ...result.results,
        attempts: { increment: 1 },
        problem: null,
        problemText: null,
      });
    } else {
      const mailInvoiceReady =
        result.nextState === "done"
          ? createInvoiceReadyMailer(row, result.results?.documentNumber ?? "")
          : undefined;
      const nextRow = await lease.storeTransition(
        row,
        { ...result.results, state: result.nextState, ...CLEARED_FIELDS },
        mailInvoiceReady,
      );
      row = nextRow && { ...nextRow, isJustStored: nextRow.isJustStored && !result.isExisting };
    }
  }
  return undefined;
}

const CLEARED_FIELDS = {
  attempts: 0,
  nextAt: null,
  problem: null,
  problemText: null,
  missing: [],
  step: null,
};

async function attemptStep(
  lease: Lease,
  row: LeasedDocument,
  step: Step | "cancelling",
  getToken: TokenSource,
): Promise<StepOutcome | AccountingFailure> {
  const call = createCallFunction(async (record) => {
    await insertCallRecord(withoutTransaction(), { ...record, documentId: row.id, step });
  }, getToken);
  try {
    return await STEP_ACTIONS[step](row, {
      call,
      provider: parasut,
      saveResults: (results) => lease.saveResults(results),
    });
  } catch (error) {
    if (error instanceof AccountingFailure) return error;
    throw error;
  }
}

async function postpone(
  lease: Lease,
  milliseconds: number,
  change: Parameters<Lease["release"]>[0],
): Promise<Date> {
  const nextAt = fromNow(milliseconds);
  await lease.release({ ...change, nextAt });
  return nextAt;
}

/** Returns the time of the retry, or the document in its new state. */
async function handleFailure(
  lease: Lease,
  row: LeasedDocument,
  step: Step | "cancelling",
  { problem, serviceMessage, details }: AccountingFailure,
): Promise<Date | LeasedDocument | undefined> {
  log.warn({ event: "accounting.retry", document: row.id, step, problem, reason: serviceMessage });
  const problemFields = { problem, problemText: serviceMessage || null };
  switch (problem) {
    case "transient":
    case "protocol":
    case "storage": {
      const waitMs = details.waitMs ?? RETRY_DELAYS_MS[Math.min(row.attempts, RETRY_DELAYS_MS.length - 1)]!;
      return postpone(lease, waitMs, { ...problemFields, attempts: { increment: details.waitMs ? 0 : 1 } });
    }
    case "credentials":
    case "refused":
      await pauseInvoicing(problem, serviceMessage);
      await lease.release({ ...problemFields, nextAt: null });
      return undefined;
    case "data":
      if (step === "queued" || step === "contact") {
        const missing = details.missing ?? [];
        const change = {
          ...problemFields,
          state: "needs_data" as const,
          step: "queued" as const,
          missing,
          nextAt: null,
        };
        return lease.storeTransition(row, change, createMissingDataMailer(row, missing));
      }
      break;
    default:
  }
  return lease.storeTransition(row, { ...problemFields, state: "failed", step, nextAt: null });
}

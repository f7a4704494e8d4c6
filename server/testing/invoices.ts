import { setTimeout as sleep } from "node:timers/promises";
import { splitVat } from "@/server/core/money";
import { DAY, fromNow } from "@/server/core/time";
import { processDocument } from "@/server/domains/billing/accounting/service/process";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record-payment";
import { prisma } from "@/server/infrastructure/database/client";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { seal } from "@/server/infrastructure/secrets/seal";
import { makePayment, makeUser } from "./factories";

export const COMPANY_BILL_TO = {
  kind: "company",
  title: "Kaya Kahve Ltd. Şti.",
  tax_number: "2000000002",
  tax_office: "Beyoğlu",
  address: "İstiklal Cad. 1",
  district: "Beyoğlu",
  city: "İstanbul",
  country: "TR",
  email: "muhasebe@example.com",
};

export async function makeDocument({
  userId,
  billTo = {},
  grossMinor = 999_900,
  ...document
}: {
  userId?: number;
  billTo?: Partial<Record<keyof typeof COMPANY_BILL_TO, string | null>>;
} & Partial<Prisma.AccountingDocumentCreateWithoutPaymentInput> = {}) {
  const { net, vat } = splitVat(grossMinor, 20);
  const payment = await makePayment(userId ?? (await makeUser()).id, {
    amountMinor: grossMinor,
    billToSealed: seal(JSON.stringify({ ...COMPANY_BILL_TO, ...billTo }), BILL_TO_SEAL_PURPOSE),
    document: {
      create: {
        ...{
          state: "queued",
          grossMinor,
          netMinor: net,
          vatMinor: vat,
          vatRate: 20,
          deadlineAt: fromNow(7 * DAY),
        },
        ...document,
      },
    },
  });
  return prisma().accountingDocument.findUniqueOrThrow({ where: { paymentId: payment.id } });
}

export const findDocument = (id: number) => prisma().accountingDocument.findUniqueOrThrow({ where: { id } });

const FINAL_STATES = new Set<string>(["done", "skipped", "cancelled", "needs_data", "failed"]);

async function waitForUnlockedDocuments(ids: number[], giveUpAt: number): Promise<Array<{ id: number }>> {
  for (;;) {
    const unfinishedDocuments = await prisma().accountingDocument.findMany({
      where: { id: { in: ids }, state: { notIn: [...FINAL_STATES] as never } },
      orderBy: { id: "asc" },
      select: { id: true, lockedUntil: true },
    });
    const isLocked = ({ lockedUntil }: { lockedUntil: Date | null }) =>
      lockedUntil && lockedUntil > new Date();
    if (unfinishedDocuments.length === 0 || !unfinishedDocuments.every(isLocked) || Date.now() > giveUpAt)
      return unfinishedDocuments;
    await sleep(50);
  }
}

/** Five times what the longest test takes on a busy machine. */
const ADVANCE_TIMEOUT_MS = 150_000;

/** Advances documents concurrently until all are finished. Throws after `within` milliseconds. */
export async function advanceUntilDone(
  ids: number[],
  { lanes: concurrency = 4, within: timeoutMs = ADVANCE_TIMEOUT_MS } = {},
): Promise<void> {
  let previousCallCount = -1;
  const giveUpAt = Date.now() + timeoutMs;
  for (let round = 1; ; round++) {
    const unfinishedDocuments = await waitForUnlockedDocuments(ids, giveUpAt);
    if (unfinishedDocuments.length === 0) return;
    if (Date.now() > giveUpAt)
      throw new Error(`Not at an end after ${round} rounds: ${await describeStates(unfinishedDocuments)}`);
    const queue = unfinishedDocuments.map(({ id }) => id);
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
          // After a lost response, a step waits before it creates the document again: end that wait.
          // One id at a time: bulk updates could deadlock.
          if (round % 8 === 0) await expireWaitTime(id);
          await processDocument(id);
        }
      }),
    );
    const callCount = await prisma().accountingCall.count({ where: { documentId: { in: ids } } });
    if (callCount === previousCallCount) await sleep(200);
    previousCallCount = callCount;
  }
}

async function expireWaitTime(id: number): Promise<void> {
  await prisma().accountingDocument.updateMany({
    where: { id, state: { in: ["edocument", "cancelling"] } },
    data: { jobAt: fromNow(-0.5 * DAY) },
  });
}

async function describeStates(documents: Array<{ id: number }>): Promise<string> {
  const rows = await Promise.all(documents.slice(0, 5).map(({ id }) => findDocument(id)));
  return rows
    .map(
      (row) =>
        `${row.id} ${row.state} ${row.problemText ?? ""}, held until ${row.lockedUntil?.toISOString()}`,
    )
    .join("; ");
}

import { fromNow, MINUTE } from "@/server/core/time";
import type { BillTo } from "@/server/domains/billing/billing-profile/service";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { PROCESSING_STATES } from "../policy";

/** Duration of the lease; each stored step renews it. */
const LEASE = 2 * MINUTE;

const DOCUMENT = {
  include: {
    payment: {
      select: {
        paidAt: true,
        billToSealed: true,
        user: {
          select: { id: true, name: true, email: true, anonymisedAt: true },
        },
        subscription: { select: { planName: true, startsAt: true, endsAt: true } },
      },
    },
  },
} as const satisfies Prisma.AccountingDocumentDefaultArgs;

type Stored = Prisma.AccountingDocumentGetPayload<typeof DOCUMENT>;
/** A document with its recipient as stored with the payment. */
export type LeasedDocument = Stored & {
  billTo: BillTo;
  /** True when this process has just stored the state, so no call of the step can have been made yet. */
  isFresh: boolean;
};
export type StepResults = Pick<
  Stored,
  | "issueDate"
  | "contactRemoteId"
  | "invoiceRemoteId"
  | "paymentRemoteId"
  | "jobRemoteId"
  | "jobAt"
  | "kind"
  | "documentRemoteId"
  | "documentUuid"
  | "documentNumber"
  | "cancellableUntil"
  | "pdfKey"
  | "doneAt"
>;
/** States in which only the holder changes the data that steps read. */
const STABLE_STATES: readonly Stored["state"][] = ["payment", "edocument", "polling", "done"];
type Change = Omit<Prisma.AccountingDocumentUpdateManyMutationInput, keyof StepResults> &
  Partial<StepResults>;

export const notLeased = () => ({ OR: [{ lockedUntil: null }, { lockedUntil: { lt: new Date() } }] });

/** Lease on one document until {@link Lease.release} or two minutes without a stored step. */
export class Lease {
  private constructor(
    readonly id: number,
    private until: Date,
  ) {}

  /** Returns undefined when the document needs no processing or another process holds it. */
  static async take(id: number): Promise<Lease | undefined> {
    const until = fromNow(LEASE);
    const { count } = await withoutTransaction().db.accountingDocument.updateMany({
      where: { id, state: { in: [...PROCESSING_STATES] }, ...notLeased() },
      data: { lockedUntil: until },
    });
    return count > 0 ? new Lease(id, until) : undefined;
  }

  private get ownLease() {
    return { id: this.id, lockedUntil: this.until };
  }

  /** Reads the document; undefined when the lease is lost. */
  async read(): Promise<LeasedDocument | undefined> {
    const row = await withoutTransaction().db.accountingDocument.findFirst({
      where: this.ownLease,
      ...DOCUMENT,
    });
    if (!row) return undefined;
    const billTo = JSON.parse(unseal(row.payment.billToSealed, BILL_TO_SEAL_PURPOSE)) as BillTo;
    return { ...row, billTo, isFresh: false };
  }

  /** Stores results before the next call. Throws {@link LeaseLost}. */
  async keep(learned: Partial<StepResults>): Promise<void> {
    const { count } = await withoutTransaction().db.accountingDocument.updateMany({
      where: this.ownLease,
      data: learned,
    });
    if (count === 0) throw new LeaseLost();
  }

  /**
   * Stores the next state and the results, and runs `also` in the same transaction. If a reversal changed the
   * state, stores only the results, which cancelling needs. Returns undefined when the lease is lost.
   */
  async move(
    before: LeasedDocument,
    change: Change,
    also?: (tx: DbAccess) => Promise<void>,
  ): Promise<LeasedDocument | undefined> {
    const until = fromNow(LEASE);
    const data = { ...change, lockedUntil: until };
    const store = ({ db }: Pick<DbAccess, "db">) =>
      db.accountingDocument.updateManyAndReturn({ where: { ...this.ownLease, state: before.state }, data });
    const [moved] = also
      ? await inTransaction(async (tx) => {
          const stored = await store(tx);
          if (stored.length > 0) await also(tx);
          return stored;
        })
      : await store(withoutTransaction());
    if (!moved) {
      await this.keep(resultsOf(change));
      return this.read();
    }
    this.until = until;
    // Until the invoice exists, its recipient may be corrected; until the end, the account may be deleted.
    const row = STABLE_STATES.includes(moved.state) ? { ...before, ...moved } : await this.read();
    return row && { ...row, isFresh: row.state === moved.state };
  }

  /** Releases the lease; `change` may set when the document is due again. */
  async release(change: Change = {}): Promise<void> {
    await withoutTransaction().db.accountingDocument.updateMany({
      where: this.ownLease,
      data: { ...change, lockedUntil: null },
    });
  }
}

/** Another process has taken over the document: nothing more may be written. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

const RESULT_COLUMNS = [
  ...["issueDate", "contactRemoteId", "invoiceRemoteId", "paymentRemoteId", "jobRemoteId", "jobAt", "kind"],
  ...["documentRemoteId", "documentUuid", "documentNumber", "cancellableUntil", "pdfKey"],
];

function resultsOf(change: Change): Partial<StepResults> {
  return Object.fromEntries(Object.entries(change).filter(([name]) => RESULT_COLUMNS.includes(name)));
}

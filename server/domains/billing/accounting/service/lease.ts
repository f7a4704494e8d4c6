import { fromNow, MINUTE } from "@/server/core/time";
import type { BillTo } from "@/server/domains/billing/billing-profile/service";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record-payment";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { PROCESSING_STATES } from "../policy";

/** Duration of the lease; each stored step renews it. */
const LEASE_MS = 2 * MINUTE;

const LEASED_DOCUMENT_ARGS = {
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

type StoredDocument = Prisma.AccountingDocumentGetPayload<typeof LEASED_DOCUMENT_ARGS>;
export type LeasedDocument = StoredDocument & {
  billTo: BillTo;
  /** True when this process has just stored the state: no call of this step was made before. */
  isJustStored: boolean;
};
export type StoredResults = Pick<
  StoredDocument,
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
/** States in which only the lease's holder changes the data that steps read. */
const STABLE_STATES: readonly StoredDocument["state"][] = ["payment", "edocument", "polling", "done"];
type DocumentChange = Omit<Prisma.AccountingDocumentUpdateManyMutationInput, keyof StoredResults> &
  Partial<StoredResults>;

export const buildNotLeasedFilter = () => ({
  OR: [{ lockedUntil: null }, { lockedUntil: { lt: new Date() } }],
});

/** Lease on one document until {@link Lease.release} or two minutes without a stored step. */
export class Lease {
  private constructor(
    readonly id: number,
    private leasedUntil: Date,
  ) {}

  /** Returns undefined when the document needs no processing or another process holds it. */
  static async acquire(id: number): Promise<Lease | undefined> {
    const until = fromNow(LEASE_MS);
    const { count } = await withoutTransaction().db.accountingDocument.updateMany({
      where: { id, state: { in: [...PROCESSING_STATES] }, ...buildNotLeasedFilter() },
      data: { lockedUntil: until },
    });
    return count > 0 ? new Lease(id, until) : undefined;
  }

  private get ownLeaseFilter() {
    return { id: this.id, lockedUntil: this.leasedUntil };
  }

  async read(): Promise<LeasedDocument | undefined> {
    const row = await withoutTransaction().db.accountingDocument.findFirst({
      where: this.ownLeaseFilter,
      ...LEASED_DOCUMENT_ARGS,
    });
    if (!row) return undefined;
    const billTo = JSON.parse(unseal(row.payment.billToSealed, BILL_TO_SEAL_PURPOSE)) as BillTo;
    return { ...row, billTo, isJustStored: false };
  }

  /** Stores results before the next call. Throws {@link LeaseLost}. */
  async saveResults(results: Partial<StoredResults>): Promise<void> {
    const { count } = await withoutTransaction().db.accountingDocument.updateMany({
      where: this.ownLeaseFilter,
      data: results,
    });
    if (count === 0) throw new LeaseLost();
  }

  /**
   * Stores a change of state. After a reversal, stores only the results, which cancelling needs. Returns
   * undefined if the lease was lost.
   */
  async storeTransition(
    document: LeasedDocument,
    change: DocumentChange,
    afterStore?: (tx: DbAccess) => Promise<void>,
  ): Promise<LeasedDocument | undefined> {
    const until = fromNow(LEASE_MS);
    const data = { ...change, lockedUntil: until };
    const storeChange = ({ db }: Pick<DbAccess, "db">) =>
      db.accountingDocument.updateManyAndReturn({
        where: { ...this.ownLeaseFilter, state: document.state },
        data,
      });
    const [updatedRow] = afterStore
      ? await inTransaction(async (tx) => {
          const rows = await storeChange(tx);
          if (rows.length > 0) await afterStore(tx);
          return rows;
        })
      : await storeChange(withoutTransaction());
    if (!updatedRow) {
      await this.saveResults(pickResults(change));
      return this.read();
    }
    this.leasedUntil = until;
    // In other states, read again: the recipient may have changed, or the account may have been deleted.
    const row = STABLE_STATES.includes(updatedRow.state) ? { ...document, ...updatedRow } : await this.read();
    return row && { ...row, isJustStored: row.state === updatedRow.state };
  }

  async release(change: DocumentChange = {}): Promise<void> {
    await withoutTransaction().db.accountingDocument.updateMany({
      where: this.ownLeaseFilter,
      data: { ...change, lockedUntil: null },
    });
  }
}

/** Another process has taken over the document: nothing more may be written. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

/** Results to store even if a reversal changed the state: all of `StoredResults` except `doneAt`. */
const RESULT_COLUMNS = [
  ...["issueDate", "contactRemoteId", "invoiceRemoteId", "paymentRemoteId", "jobRemoteId", "jobAt", "kind"],
  ...["documentRemoteId", "documentUuid", "documentNumber", "cancellableUntil", "pdfKey"],
];

function pickResults(change: DocumentChange): Partial<StoredResults> {
  return Object.fromEntries(Object.entries(change).filter(([name]) => RESULT_COLUMNS.includes(name)));
}

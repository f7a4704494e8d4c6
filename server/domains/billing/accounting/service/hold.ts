import { fromNow, MINUTE } from "@/server/core/time";
import type { BillTo } from "@/server/domains/billing/billing-profile/service";
import { BILL_TO_PURPOSE } from "@/server/domains/billing/payments/service/record";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { inTransaction, outside, type Work } from "@/server/infrastructure/database/transaction";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { OPEN } from "../policy";

/** For so long nobody else works at a document; each step that is stored begins it anew. */
const HOLD = 2 * MINUTE;

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
/** A document with whom it is made out to, as it was frozen. */
export type Row = Stored & {
  billTo: BillTo;
  /** Whether this holder itself has just stored the state, so that nothing of the step can have been done yet. */
  isFresh: boolean;
};
/** What steps learn. */
export type Held = Pick<
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
/** States in which nobody but the holder changes what a step reads. */
const UNCHANGED: readonly Stored["state"][] = ["payment", "edocument", "polling", "done"];
type Change = Omit<Prisma.AccountingDocumentUpdateManyMutationInput, keyof Held> & Partial<Held>;

/** Nobody holds it. */
export const free = () => ({ OR: [{ lockedUntil: null }, { lockedUntil: { lt: new Date() } }] });

/** One document, held by this process until {@link Hold.release}, its death, or two minutes without a step. */
export class Hold {
  private constructor(
    readonly id: number,
    private until: Date,
  ) {}

  /** Undefined when there is nothing to do, or somebody else does it. */
  static async take(id: number): Promise<Hold | undefined> {
    const until = fromNow(HOLD);
    const { count } = await outside().db.accountingDocument.updateMany({
      where: { id, state: { in: [...OPEN] }, ...free() },
      data: { lockedUntil: until },
    });
    return count > 0 ? new Hold(id, until) : undefined;
  }

  private get mine() {
    return { id: this.id, lockedUntil: this.until };
  }

  /** The document as it stands; undefined when the hold is lost. */
  async read(): Promise<Row | undefined> {
    const row = await outside().db.accountingDocument.findFirst({ where: this.mine, ...DOCUMENT });
    if (!row) return undefined;
    const billTo = JSON.parse(unseal(row.payment.billToSealed, BILL_TO_PURPOSE)) as BillTo;
    return { ...row, billTo, isFresh: false };
  }

  /** Writes down what is known before the next call. Throws when the hold is lost. */
  async keep(learned: Partial<Held>): Promise<void> {
    const { count } = await outside().db.accountingDocument.updateMany({ where: this.mine, data: learned });
    if (count === 0) throw new HoldLost();
  }

  /**
   * Stores the next state together with what was learned, and what `also` does. When the state changed meanwhile, because
   * the payment was reversed, what was learned is stored all the same: somebody has to take it back. Returns the document
   * after it; undefined when the hold is lost.
   */
  async move(before: Row, change: Change, also?: (tx: Work) => Promise<void>): Promise<Row | undefined> {
    const until = fromNow(HOLD);
    const data = { ...change, lockedUntil: until };
    const store = ({ db }: Pick<Work, "db">) =>
      db.accountingDocument.updateManyAndReturn({ where: { ...this.mine, state: before.state }, data });
    const [moved] = also
      ? await inTransaction(async (tx) => {
          const stored = await store(tx);
          if (stored.length > 0) await also(tx);
          return stored;
        })
      : await store(outside());
    if (!moved) {
      await this.keep(learnedOf(change));
      return this.read();
    }
    this.until = until;
    // Before an invoice exists, its recipient may be corrected; before the end, the account may be deleted.
    const row = UNCHANGED.includes(moved.state) ? { ...before, ...moved } : await this.read();
    return row && { ...row, isFresh: row.state === moved.state };
  }

  /** Lets go, and says when it is due again. */
  async release(change: Change = {}): Promise<void> {
    await outside().db.accountingDocument.updateMany({
      where: this.mine,
      data: { ...change, lockedUntil: null },
    });
  }
}

/** Somebody else works at the document by now: nothing more may be written. */
export class HoldLost extends Error {
  override name = "HoldLost";
}

const LEARNED = [
  ...["issueDate", "contactRemoteId", "invoiceRemoteId", "paymentRemoteId", "jobRemoteId", "jobAt", "kind"],
  ...["documentRemoteId", "documentUuid", "documentNumber", "cancellableUntil", "pdfKey"],
];

function learnedOf(change: Change): Partial<Held> {
  return Object.fromEntries(Object.entries(change).filter(([name]) => LEARNED.includes(name)));
}

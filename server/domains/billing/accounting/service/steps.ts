import { Readable } from "node:stream";
import { ulid } from "ulid";
import { dayOf } from "@/server/core/calendar";
import { DAY, fromNow, MINUTE, SECOND } from "@/server/core/time";
import { OutboundError, outbound } from "@/server/infrastructure/http/outbound";
import { USER_AGENT } from "@/server/infrastructure/http/service";
import { storage } from "@/server/infrastructure/storage/storage";
import type { Step } from "../policy";
import { unitPriceOf } from "./amount";
import type { Held, Row } from "./hold";
import { freshBillTo, partyOf, soldText } from "./party";
import { AccountingFailure, type AccountingProvider, type Call, type RemoteInvoice } from "./provider";

/**
 * What a step came to: another state, or the same one again after a while. What it learned is kept either way. What it
 * `found` was there before it, so that the next step may have been done, too.
 */
export type Result =
  | { to: Row["state"]; learned?: Partial<Held>; found?: boolean }
  | { waits: number; learned?: Partial<Held> };

/** What a step may use. `keep` writes something down before a call whose answer may be lost. */
interface Tools {
  call: Call;
  provider: AccountingProvider;
  keep(learned: Partial<Held>): Promise<void>;
}

type Action = (row: Row, tools: Tools) => Promise<Result>;

/** The folder of invoices, which nobody is served from. */
export const INVOICES = "invoices";
const PDF_MAX = 10 * 1024 * 1024;

/** How long the service may take to make an electronic document. */
const MAKING = 30 * MINUTE;
/** For so long a document that was perhaps asked for is only looked for: jobs there are known for a quarter of an hour. */
const UNSURE = 15 * MINUTE;
/** Pauses between looks: the first ones short. */
const LOOKS = [2, 3, 5, 10, 30, 60].map((seconds) => seconds * SECOND);
const PDF_LOOKS = [10, 20, 60, 300].map((seconds) => seconds * SECOND);
const after = (pauses: number[], { attempts }: Row) => pauses[Math.min(attempts, pauses.length - 1)]!;

/** How many calls each step may make, and how many of them look for what a lost answer did. */
const CALLS: Record<Step | "cancelling", { all: number; looks?: number }> = {
  queued: { all: 0 },
  contact: { all: 2 },
  invoice: { all: 3, looks: 1 },
  payment: { all: 2, looks: 1 },
  edocument: { all: 3, looks: 1 },
  polling: { all: 2 },
  pdf: { all: 2 },
  cancelling: { all: 3 },
};

/** How many calls a step may make now. Taken together before it begins, so that none stops half-way. */
export function callsOf(row: Row, step: Step | "cancelling"): number {
  const { all, looks = 0 } = CALLS[step];
  return mayBeDone(row, step) ? all : all - looks;
}

/** Whether a step looks first: somebody may have begun it, us with an answer that was lost. */
function mayBeDone({ isFresh, issueDate, jobAt }: Row, step: Step | "cancelling"): boolean {
  return !isFresh || (step === "invoice" && issueDate !== null) || (step === "edocument" && jobAt !== null);
}

export const ACTIONS: Record<Step | "cancelling", Action> = {
  /** Nothing is sent before everything that can be known beforehand is right. */
  async queued(row) {
    if (row.currency !== "TRY") throw new AccountingFailure("by_hand", row.currency);
    if (unitPriceOf(row.grossMinor, row.vatRate) === undefined)
      throw new AccountingFailure("amount", `${row.grossMinor} at ${row.vatRate} %`);
    await partyOf(await freshBillTo(row));
    return { to: "contact" };
  },

  async contact(row, { call, provider }) {
    const party = await partyOf(await freshBillTo(row));
    const found = await provider.findContact(call, party);
    if (found?.differs) await provider.updateContact(call, found.id, party);
    return {
      to: "invoice",
      learned: { contactRemoteId: found?.id ?? (await provider.createContact(call, party)) },
    };
  },

  async invoice(row, { call, provider, keep }) {
    const today = dayOf(new Date());
    const known = row.issueDate && dayOf(row.issueDate);
    const contactId = row.contactRemoteId!;
    const found = known
      ? await provider.findInvoice(call, { contactId, issueDate: known, marker: row.marker })
      : undefined;
    if (found)
      return { to: "payment", learned: await requireTotal(row, found, { call, provider }), found: true };
    // After a long outage it is dated anew; yesterday's stays, because midnight may have passed between two tries.
    const issueDate = known && known >= dayOf(fromNow(-DAY)) ? known : today;
    if (issueDate !== known) await keep({ issueDate: new Date(issueDate) });
    const unitMinor = unitPriceOf(row.grossMinor, row.vatRate)!;
    const { marker, grossMinor, vatRate } = row;
    const draft = { contactId, marker, issueDate, grossMinor, unitMinor, vatRate, text: soldText(row) };
    const created = await provider.createInvoice(call, draft);
    return { to: "payment", learned: await requireTotal(row, created, { call, provider }) };
  },

  async payment(row, { call, provider }) {
    const paid = mayBeDone(row, "payment") ? (await existing(row, { call, provider })).paid : undefined;
    if (paid) return { to: "edocument", learned: { paymentRemoteId: paid.id }, found: true };
    const payment = { day: dayOf(row.payment.paidAt), grossMinor: row.grossMinor, marker: row.marker };
    const paymentRemoteId = await provider.pay(call, row.invoiceRemoteId!, payment);
    return { to: "edocument", learned: { paymentRemoteId } };
  },

  async edocument(row, { call, provider, keep }) {
    const document = mayBeDone(row, "edocument")
      ? (await existing(row, { call, provider })).document
      : undefined;
    if (document) return { to: "pdf", learned: documentFields(document) };
    // It was asked for and no answer came: a second one would be a second paper.
    if (row.jobAt && row.jobAt > fromNow(-UNSURE)) return { waits: after(LOOKS, row) };
    const { isConsumer, number } = await partyOf(row.billTo);
    const inbox = isConsumer ? undefined : await provider.inboxOf(call, number);
    const kind = inbox ? "e_invoice" : "e_archive";
    await keep({ jobAt: new Date(), kind });
    const order = inbox
      ? { kind: "e_invoice" as const, to: inbox }
      : { kind: "e_archive" as const, paidOn: dayOf(row.payment.paidAt) };
    try {
      return {
        to: "polling",
        learned: { jobRemoteId: await provider.issue(call, row.invoiceRemoteId!, order) },
      };
    } catch (error) {
      // Certainly not asked for: the next try need not wait.
      if (error instanceof AccountingFailure && error.more.certain) await keep({ jobAt: null });
      throw error;
    }
  },

  async polling(row, { call, provider }) {
    const job = await provider.jobOf(call, row.jobRemoteId!);
    if (job.state === "error") throw new AccountingFailure("document", job.texts || "error");
    if (job.state !== "running") {
      const { document } = await existing(row, { call, provider });
      if (document) return { to: "pdf", learned: documentFields(document) };
    }
    if (row.jobAt! < fromNow(-MAKING)) throw new AccountingFailure("document", "not made within 30 minutes");
    return { waits: after(LOOKS, row) };
  },

  async pdf(row, { call, provider }) {
    const kind = row.kind as "e_archive" | "e_invoice";
    const url = await provider.pdfOf(call, { kind, id: row.documentRemoteId! });
    if (!url) return { waits: after(PDF_LOOKS, row) };
    const bytes = await fetchPdf(url);
    // The number comes with the electronic document, for some only after a while.
    const { document } = row.documentNumber
      ? { document: undefined }
      : await existing(row, { call, provider });
    const documentNumber = row.documentNumber ?? document?.number ?? row.documentUuid ?? document?.id;
    const pdfKey = `${INVOICES}/${ulid()}.pdf`;
    try {
      await storage().write(pdfKey, Readable.from([bytes]));
    } catch (error) {
      throw new AccountingFailure("storage", String((error as NodeJS.ErrnoException).code ?? "not stored"));
    }
    return { to: "done", learned: { pdfKey, documentNumber, doneAt: new Date() } };
  },

  /** Takes back what exists by now: a draft is deleted, a document cancelled while the law allows it. */
  async cancelling(row, { call, provider }) {
    const { contactRemoteId: contactId, issueDate, marker } = row;
    const lost =
      row.invoiceRemoteId === null && contactId !== null && issueDate !== null
        ? await provider.findInvoice(call, { contactId, issueDate: dayOf(issueDate), marker })
        : undefined;
    const invoiceRemoteId = row.invoiceRemoteId ?? lost?.id;
    if (!invoiceRemoteId) return { to: "cancelled" };
    const invoice = await provider.readInvoice(call, invoiceRemoteId, marker);
    const learned = { invoiceRemoteId, ...(invoice?.document && documentFields(invoice.document)) };
    if (!invoice || invoice.isCancelled) return { to: "cancelled", learned };
    if (!invoice.document && row.jobAt && row.jobAt > fromNow(-UNSURE))
      return { waits: after(LOOKS, row), learned };
    if (!invoice.document) {
      await provider.removeInvoice(call, invoiceRemoteId);
      return { to: "cancelled", learned };
    }
    const { cancellableUntil } = invoice.document;
    if (!cancellableUntil || cancellableUntil < new Date())
      throw new AccountingFailure("by_hand", "too late to cancel");
    await provider.cancelInvoice(call, invoiceRemoteId);
    return { to: "cancelled", learned };
  },
};

/** The invoice must come to what was paid; a draft that does not is removed again. */
async function requireTotal(
  { grossMinor }: Row,
  { id, totalMinor }: RemoteInvoice,
  { call, provider }: Pick<Tools, "call" | "provider">,
): Promise<Partial<Held>> {
  if (totalMinor === grossMinor) return { invoiceRemoteId: id };
  await provider.removeInvoice(call, id);
  throw new AccountingFailure("amount", `${totalMinor} instead of ${grossMinor}`, { certain: true });
}

async function existing(
  row: Row,
  { call, provider }: Pick<Tools, "call" | "provider">,
): Promise<RemoteInvoice> {
  const invoice = await provider.readInvoice(call, row.invoiceRemoteId!, row.marker);
  if (!invoice) throw new AccountingFailure("document", "the invoice was removed at the accounting service");
  return invoice;
}

function documentFields({
  kind,
  id,
  uuid,
  number,
  cancellableUntil,
}: NonNullable<RemoteInvoice["document"]>) {
  return { kind, documentRemoteId: id, documentUuid: uuid, documentNumber: number, cancellableUntil };
}

/** Fetches a PDF from the address that the service named; nothing of ours goes with it. */
async function fetchPdf(url: string): Promise<Buffer> {
  try {
    const { status, bytes } = await outbound({
      ...{
        method: "GET",
        url,
        headers: { "user-agent": USER_AGENT },
        timeout: 30 * SECOND,
        maxBytes: PDF_MAX,
      },
    });
    if (status === 200 && bytes.subarray(0, 5).toString("latin1") === "%PDF-") return bytes;
    throw new AccountingFailure("transient", status === 200 ? "no PDF" : `PDF: ${status}`);
  } catch (error) {
    if (error instanceof OutboundError) throw new AccountingFailure("transient", `PDF: ${error.reason}`);
    throw error;
  }
}

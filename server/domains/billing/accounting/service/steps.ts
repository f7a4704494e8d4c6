import { Readable } from "node:stream";
import { ulid } from "ulid";
import { dayOf } from "@/server/core/calendar";
import { DAY, fromNow, MINUTE, SECOND } from "@/server/core/time";
import { OutboundError, outbound } from "@/server/infrastructure/http/outbound";
import { USER_AGENT } from "@/server/infrastructure/http/service";
import { storage } from "@/server/infrastructure/storage/storage";
import type { Step } from "../policy";
import { unitPriceOf } from "./amount";
import type { LeasedDocument, StepResults } from "./lease";
import { AccountingFailure, type AccountingProvider, type Call, type RemoteInvoice } from "./provider";
import { invoiceLineText, recipientOf, refreshBillTo } from "./recipient";

/**
 * Next state, or a wait in milliseconds. `isExisting`: the result existed before, so the next step may be done,
 * too.
 */
export type Result =
  | { to: LeasedDocument["state"]; results?: Partial<StepResults>; isExisting?: boolean }
  | { waitMs: number; results?: Partial<StepResults> };

/** `saveResults` stores results before a call whose response may be lost. */
interface Tools {
  call: Call;
  provider: AccountingProvider;
  saveResults(learned: Partial<StepResults>): Promise<void>;
}

type Action = (row: LeasedDocument, tools: Tools) => Promise<Result>;

/** Private storage folder, never served directly. */
export const INVOICE_FOLDER = "invoices";
const PDF_MAX = 10 * 1024 * 1024;

const DOCUMENT_TIMEOUT = 30 * MINUTE;
/** After a lost response, only look for the e-document: the service keeps jobs for 15 minutes. */
const LOOK_ONLY_TIME = 15 * MINUTE;
const POLL_INTERVALS = [2, 3, 5, 10, 30, 60].map((seconds) => seconds * SECOND);
const PDF_POLL_INTERVALS = [10, 20, 60, 300].map((seconds) => seconds * SECOND);
const intervalFor = (pauses: number[], { attempts }: LeasedDocument) =>
  pauses[Math.min(attempts, pauses.length - 1)]!;

/** Maximum calls per step; `lookups` of them check for the effect of a lost response. */
const CALLS: Record<Step | "cancelling", { all: number; lookups?: number }> = {
  queued: { all: 0 },
  contact: { all: 2 },
  invoice: { all: 3, lookups: 1 },
  payment: { all: 2, lookups: 1 },
  edocument: { all: 3, lookups: 1 },
  polling: { all: 2 },
  pdf: { all: 2 },
  cancelling: { all: 3 },
};

/** Calls to reserve for a step, all before it starts, so that no step stops halfway. */
export function callsNeeded(row: LeasedDocument, step: Step | "cancelling"): number {
  const { all, lookups = 0 } = CALLS[step];
  return mayBeDone(row, step) ? all : all - lookups;
}

/** True when a call of this step may have been made before, for example with a lost response. */
function mayBeDone({ isFresh, issueDate, jobAt }: LeasedDocument, step: Step | "cancelling"): boolean {
  return !isFresh || (step === "invoice" && issueDate !== null) || (step === "edocument" && jobAt !== null);
}

export const ACTIONS: Record<Step | "cancelling", Action> = {
  /** Validates everything that can be validated before the first call. */
  async queued(row) {
    if (row.currency !== "TRY") throw new AccountingFailure("by_hand", row.currency);
    if (unitPriceOf(row.grossMinor, row.vatRate) === undefined)
      throw new AccountingFailure("amount", `${row.grossMinor} at ${row.vatRate} %`);
    await recipientOf(await refreshBillTo(row));
    return { to: "contact" };
  },

  async contact(row, { call, provider }) {
    const party = await recipientOf(await refreshBillTo(row));
    const match = await provider.findContact(call, party);
    if (match?.differs) await provider.updateContact(call, match.id, party);
    return {
      to: "invoice",
      results: { contactRemoteId: match?.id ?? (await provider.createContact(call, party)) },
    };
  },

  async invoice(row, { call, provider, saveResults }) {
    const today = dayOf(new Date());
    const storedDate = row.issueDate && dayOf(row.issueDate);
    const contactId = row.contactRemoteId!;
    const match = storedDate
      ? await provider.findInvoice(call, { contactId, issueDate: storedDate, marker: row.marker })
      : undefined;
    if (match)
      return { to: "payment", results: await requireTotal(row, match, { call, provider }), isExisting: true };
    // After a long outage, use today. Keep yesterday: midnight may have passed between two attempts.
    const issueDate = storedDate && storedDate >= dayOf(fromNow(-DAY)) ? storedDate : today;
    if (issueDate !== storedDate) await saveResults({ issueDate: new Date(issueDate) });
    const unitMinor = unitPriceOf(row.grossMinor, row.vatRate)!;
    const { marker, grossMinor, vatRate } = row;
    const draft = {
      contactId,
      marker,
      issueDate,
      grossMinor,
      unitMinor,
      vatRate,
      text: invoiceLineText(row),
    };
    const created = await provider.createInvoice(call, draft);
    return { to: "payment", results: await requireTotal(row, created, { call, provider }) };
  },

  async payment(row, { call, provider }) {
    const paid = mayBeDone(row, "payment") ? (await readExisting(row, { call, provider })).paid : undefined;
    if (paid) return { to: "edocument", results: { paymentRemoteId: paid.id }, isExisting: true };
    const payment = { day: dayOf(row.payment.paidAt), grossMinor: row.grossMinor, marker: row.marker };
    const paymentRemoteId = await provider.pay(call, row.invoiceRemoteId!, payment);
    return { to: "edocument", results: { paymentRemoteId } };
  },

  async edocument(row, { call, provider, saveResults }) {
    const document = mayBeDone(row, "edocument")
      ? (await readExisting(row, { call, provider })).document
      : undefined;
    if (document) return { to: "pdf", results: documentFields(document) };
    // Requested, but the response was lost: a second request would create a second e-document.
    if (row.jobAt && row.jobAt > fromNow(-LOOK_ONLY_TIME))
      return { waitMs: intervalFor(POLL_INTERVALS, row) };
    const { isConsumer, number } = await recipientOf(row.billTo);
    const inbox = isConsumer ? undefined : await provider.inboxOf(call, number);
    const kind = inbox ? "e_invoice" : "e_archive";
    await saveResults({ jobAt: new Date(), kind });
    const order = inbox
      ? { kind: "e_invoice" as const, to: inbox }
      : { kind: "e_archive" as const, paidOn: dayOf(row.payment.paidAt) };
    try {
      return {
        to: "polling",
        results: { jobRemoteId: await provider.issue(call, row.invoiceRemoteId!, order) },
      };
    } catch (error) {
      if (error instanceof AccountingFailure && error.more.certain) await saveResults({ jobAt: null });
      throw error;
    }
  },

  async polling(row, { call, provider }) {
    const job = await provider.jobOf(call, row.jobRemoteId!);
    if (job.state === "error") throw new AccountingFailure("document", job.texts || "error");
    if (job.state !== "running") {
      const { document } = await readExisting(row, { call, provider });
      if (document) return { to: "pdf", results: documentFields(document) };
    }
    if (row.jobAt! < fromNow(-DOCUMENT_TIMEOUT))
      throw new AccountingFailure("document", "not made within 30 minutes");
    return { waitMs: intervalFor(POLL_INTERVALS, row) };
  },

  async pdf(row, { call, provider }) {
    const kind = row.kind as "e_archive" | "e_invoice";
    const url = await provider.pdfOf(call, { kind, id: row.documentRemoteId! });
    if (!url) return { waitMs: intervalFor(PDF_POLL_INTERVALS, row) };
    const bytes = await fetchPdf(url);
    // Some e-documents get their number only later.
    const { document } = row.documentNumber
      ? { document: undefined }
      : await readExisting(row, { call, provider });
    const documentNumber = row.documentNumber ?? document?.number ?? row.documentUuid ?? document?.id;
    const pdfKey = `${INVOICE_FOLDER}/${ulid()}.pdf`;
    try {
      await storage().write(pdfKey, Readable.from([bytes]));
    } catch (error) {
      throw new AccountingFailure("storage", String((error as NodeJS.ErrnoException).code ?? "not stored"));
    }
    return { to: "done", results: { pdfKey, documentNumber, doneAt: new Date() } };
  },

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
    if (!invoice || invoice.isCancelled) return { to: "cancelled", results: learned };
    if (!invoice.document && row.jobAt && row.jobAt > fromNow(-LOOK_ONLY_TIME))
      return { waitMs: intervalFor(POLL_INTERVALS, row), results: learned };
    if (!invoice.document) {
      await provider.removeInvoice(call, invoiceRemoteId);
      return { to: "cancelled", results: learned };
    }
    const { cancellableUntil } = invoice.document;
    if (!cancellableUntil || cancellableUntil < new Date())
      throw new AccountingFailure("by_hand", "too late to cancel");
    await provider.cancelInvoice(call, invoiceRemoteId);
    return { to: "cancelled", results: learned };
  },
};

async function requireTotal(
  { grossMinor }: LeasedDocument,
  { id, totalMinor }: RemoteInvoice,
  { call, provider }: Pick<Tools, "call" | "provider">,
): Promise<Partial<StepResults>> {
  if (totalMinor === grossMinor) return { invoiceRemoteId: id };
  await provider.removeInvoice(call, id);
  throw new AccountingFailure("amount", `${totalMinor} instead of ${grossMinor}`, { certain: true });
}

async function readExisting(
  row: LeasedDocument,
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

/** Fetches a PDF from the URL that the service returned, without credentials. */
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

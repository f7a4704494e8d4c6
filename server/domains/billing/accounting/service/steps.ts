import { Readable } from "node:stream";
import { ulid } from "ulid";
import { toTurkishDay } from "@/server/core/calendar";
import { DAY, fromNow, MINUTE, SECOND } from "@/server/core/time";
import { USER_AGENT } from "@/server/infrastructure/http/call-service";
import { callOutbound, OutboundError } from "@/server/infrastructure/http/outbound";
import { storage } from "@/server/infrastructure/storage/storage";
import type { Step } from "../policy";
import type { LeasedDocument, StoredResults } from "./lease";
import { AccountingFailure, type AccountingProvider, type Call, type RemoteInvoice } from "./provider";
import { formatInvoiceLine, refreshBillTo, resolveRecipient } from "./recipient";
import { findUnitPrice } from "./unit-price";

/** `isExisting`: an earlier attempt created the result, so the next step may be done, too. */
export type StepOutcome =
  | { nextState: LeasedDocument["state"]; results?: Partial<StoredResults>; isExisting?: boolean }
  | { waitMs: number; results?: Partial<StoredResults> };

/** `saveResults` stores results before a call whose response may be lost. */
interface StepTools {
  call: Call;
  provider: AccountingProvider;
  saveResults(newResults: Partial<StoredResults>): Promise<void>;
}

type StepAction = (row: LeasedDocument, tools: StepTools) => Promise<StepOutcome>;

/** Private storage folder, never served directly. */
export const INVOICE_FOLDER = "invoices";
const PDF_MAX_BYTES = 10 * 1024 * 1024;

const E_DOCUMENT_TIMEOUT_MS = 30 * MINUTE;
/** Time after a lost response in which we only look for the e-document: the service keeps jobs that long. */
const LOOKUP_ONLY_MS = 15 * MINUTE;
const POLL_INTERVALS_MS = [2, 3, 5, 10, 30, 60].map((seconds) => seconds * SECOND);
const PDF_POLL_INTERVALS_MS = [10, 20, 60, 300].map((seconds) => seconds * SECOND);
const getPollInterval = (intervals: number[], { attempts }: LeasedDocument) =>
  intervals[Math.min(attempts, intervals.length - 1)]!;

/** Maximum calls per step. `lookups`: those that only look for results of an earlier attempt. */
const CALL_COUNTS: Record<Step | "cancelling", { max: number; lookups?: number }> = {
  queued: { max: 0 },
  contact: { max: 2 },
  invoice: { max: 3, lookups: 1 },
  payment: { max: 2, lookups: 1 },
  edocument: { max: 3, lookups: 1 },
  polling: { max: 2 },
  pdf: { max: 2 },
  cancelling: { max: 3 },
};

/** Returns the calls to reserve before a step starts, so that no step stops halfway. */
export function countNeededCalls(row: LeasedDocument, step: Step | "cancelling"): number {
  const { max, lookups = 0 } = CALL_COUNTS[step];
  return mayBeDone(row, step) ? max : max - lookups;
}

/** True when a call of this step may have been made before, for example with a lost response. */
function mayBeDone({ isJustStored, issueDate, jobAt }: LeasedDocument, step: Step | "cancelling"): boolean {
  return (
    !isJustStored || (step === "invoice" && issueDate !== null) || (step === "edocument" && jobAt !== null)
  );
}

export const STEP_ACTIONS: Record<Step | "cancelling", StepAction> = {
  async queued(row) {
    if (row.currency !== "TRY") throw new AccountingFailure("by_hand", row.currency);
    if (findUnitPrice(row.grossMinor, row.vatRate) === undefined)
      throw new AccountingFailure("amount", `${row.grossMinor} at ${row.vatRate} %`);
    await resolveRecipient(await refreshBillTo(row));
    return { nextState: "contact" };
  },

  async contact(row, { call, provider }) {
    const recipient = await resolveRecipient(await refreshBillTo(row));
    const match = await provider.findContact(call, recipient);
    if (match?.differs) await provider.updateContact(call, match.id, recipient);
    return {
      nextState: "invoice",
      results: { contactRemoteId: match?.id ?? (await provider.createContact(call, recipient)) },
    };
  },

  async invoice(row, { call, provider, saveResults }) {
    const today = toTurkishDay(new Date());
    const storedDate = row.issueDate && toTurkishDay(row.issueDate);
    const contactId = row.contactRemoteId!;
    const match = storedDate
      ? await provider.findInvoice(call, { contactId, issueDate: storedDate, marker: row.marker })
      : undefined;
    if (match)
      return {
        nextState: "payment",
        results: await requireExactTotal(row, match, { call, provider }),
        isExisting: true,
      };
    // Use today after a long outage, but keep yesterday: midnight may fall between two attempts.
    const issueDate = storedDate && storedDate >= toTurkishDay(fromNow(-DAY)) ? storedDate : today;
    if (issueDate !== storedDate) await saveResults({ issueDate: new Date(issueDate) });
    const unitMinor = findUnitPrice(row.grossMinor, row.vatRate)!;
    const { marker, grossMinor, vatRate } = row;
    const draft = {
      contactId,
      marker,
      issueDate,
      grossMinor,
      unitMinor,
      vatRate,
      text: formatInvoiceLine(row),
    };
    const createdInvoice = await provider.createInvoice(call, draft);
    return {
      nextState: "payment",
      results: await requireExactTotal(row, createdInvoice, { call, provider }),
    };
  },

  async payment(row, { call, provider }) {
    const existingPayment = mayBeDone(row, "payment")
      ? (await requireRemoteInvoice(row, { call, provider })).payment
      : undefined;
    if (existingPayment)
      return { nextState: "edocument", results: { paymentRemoteId: existingPayment.id }, isExisting: true };
    const payment = { day: toTurkishDay(row.payment.paidAt), grossMinor: row.grossMinor, marker: row.marker };
    const paymentRemoteId = await provider.recordPayment(call, row.invoiceRemoteId!, payment);
    return { nextState: "edocument", results: { paymentRemoteId } };
  },

  async edocument(row, { call, provider, saveResults }) {
    const eDocument = mayBeDone(row, "edocument")
      ? (await requireRemoteInvoice(row, { call, provider })).document
      : undefined;
    if (eDocument) return { nextState: "pdf", results: toEDocumentResults(eDocument) };
    // Requested, but the response was lost: a second request would create a second e-document.
    if (row.jobAt && row.jobAt > fromNow(-LOOKUP_ONLY_MS))
      return { waitMs: getPollInterval(POLL_INTERVALS_MS, row) };
    const { isConsumer, taxNumber } = await resolveRecipient(row.billTo);
    const inbox = isConsumer ? undefined : await provider.findInbox(call, taxNumber);
    const kind = inbox ? "e_invoice" : "e_archive";
    await saveResults({ jobAt: new Date(), kind });
    const eDocumentRequest = inbox
      ? { kind: "e_invoice" as const, to: inbox }
      : { kind: "e_archive" as const, paidOn: toTurkishDay(row.payment.paidAt) };
    try {
      return {
        nextState: "polling",
        results: {
          jobRemoteId: await provider.requestEDocument(call, row.invoiceRemoteId!, eDocumentRequest),
        },
      };
    } catch (error) {
      if (error instanceof AccountingFailure && error.details.hadNoEffect) await saveResults({ jobAt: null });
      throw error;
    }
  },

  async polling(row, { call, provider }) {
    const job = await provider.getJob(call, row.jobRemoteId!);
    if (job.state === "error") throw new AccountingFailure("document", job.message || "error");
    if (job.state !== "running") {
      const { document: eDocument } = await requireRemoteInvoice(row, { call, provider });
      if (eDocument) return { nextState: "pdf", results: toEDocumentResults(eDocument) };
    }
    if (row.jobAt! < fromNow(-E_DOCUMENT_TIMEOUT_MS))
      throw new AccountingFailure("document", "not made within 30 minutes");
    return { waitMs: getPollInterval(POLL_INTERVALS_MS, row) };
  },

  async pdf(row, { call, provider }) {
    const kind = row.kind as "e_archive" | "e_invoice";
    const url = await provider.getPdfUrl(call, { kind, id: row.documentRemoteId! });
    if (!url) return { waitMs: getPollInterval(PDF_POLL_INTERVALS_MS, row) };
    const bytes = await fetchPdf(url);
    // Some e-documents get their number only later.
    const { document: eDocument } = row.documentNumber
      ? { document: undefined }
      : await requireRemoteInvoice(row, { call, provider });
    const documentNumber = row.documentNumber ?? eDocument?.number ?? row.documentUuid ?? eDocument?.id;
    const pdfKey = `${INVOICE_FOLDER}/${ulid()}.pdf`;
    try {
      await storage().write(pdfKey, Readable.from([bytes]));
    } catch (error) {
      throw new AccountingFailure("storage", String((error as NodeJS.ErrnoException).code ?? "not stored"));
    }
    return { nextState: "done", results: { pdfKey, documentNumber, doneAt: new Date() } };
  },

  async cancelling(row, { call, provider }) {
    const { contactRemoteId: contactId, issueDate, marker } = row;
    const lostInvoice =
      row.invoiceRemoteId === null && contactId !== null && issueDate !== null
        ? await provider.findInvoice(call, { contactId, issueDate: toTurkishDay(issueDate), marker })
        : undefined;
    const invoiceRemoteId = row.invoiceRemoteId ?? lostInvoice?.id;
    if (!invoiceRemoteId) return { nextState: "cancelled" };
    const invoice = await provider.readInvoice(call, invoiceRemoteId, marker);
    const results = { invoiceRemoteId, ...(invoice?.document && toEDocumentResults(invoice.document)) };
    if (!invoice || invoice.isCancelled) return { nextState: "cancelled", results };
    if (!invoice.document && row.jobAt && row.jobAt > fromNow(-LOOKUP_ONLY_MS))
      return { waitMs: getPollInterval(POLL_INTERVALS_MS, row), results };
    if (!invoice.document) {
      await provider.removeInvoice(call, invoiceRemoteId);
      return { nextState: "cancelled", results };
    }
    const { cancellableUntil } = invoice.document;
    if (!cancellableUntil || cancellableUntil < new Date())
      throw new AccountingFailure("by_hand", "too late to cancel");
    await provider.cancelInvoice(call, invoiceRemoteId);
    return { nextState: "cancelled", results };
  },
};

/** Returns the results to store. Removes an invoice with another total and throws. */
async function requireExactTotal(
  { grossMinor }: LeasedDocument,
  { id, totalMinor }: RemoteInvoice,
  { call, provider }: Pick<StepTools, "call" | "provider">,
): Promise<Partial<StoredResults>> {
  if (totalMinor === grossMinor) return { invoiceRemoteId: id };
  await provider.removeInvoice(call, id);
  throw new AccountingFailure("amount", `${totalMinor} instead of ${grossMinor}`, { hadNoEffect: true });
}

async function requireRemoteInvoice(
  row: LeasedDocument,
  { call, provider }: Pick<StepTools, "call" | "provider">,
): Promise<RemoteInvoice> {
  const invoice = await provider.readInvoice(call, row.invoiceRemoteId!, row.marker);
  if (!invoice) throw new AccountingFailure("document", "the invoice was removed at the accounting service");
  return invoice;
}

function toEDocumentResults({
  kind,
  id,
  uuid,
  number,
  cancellableUntil,
}: NonNullable<RemoteInvoice["document"]>) {
  return { kind, documentRemoteId: id, documentUuid: uuid, documentNumber: number, cancellableUntil };
}

/** The URL comes from a response, so the request has no credentials. */
async function fetchPdf(url: string): Promise<Buffer> {
  try {
    const { status, bytes } = await callOutbound({
      ...{
        method: "GET",
        url,
        headers: { "user-agent": USER_AGENT },
        timeout: 30 * SECOND,
        maxBytes: PDF_MAX_BYTES,
      },
    });
    if (status === 200 && bytes.subarray(0, 5).toString("latin1") === "%PDF-") return bytes;
    throw new AccountingFailure("transient", status === 200 ? "no PDF" : `PDF: ${status}`);
  } catch (error) {
    if (error instanceof OutboundError) throw new AccountingFailure("transient", `PDF: ${error.reason}`);
    throw error;
  }
}

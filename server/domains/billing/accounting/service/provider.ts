import type { BillTo } from "@/server/domains/billing/billing-profile/service";
import type { Problem } from "../policy";

/** A failed call. `serviceMessage`: message of the service, without personal data. */
export class AccountingFailure extends Error {
  override name = "AccountingFailure";
  constructor(
    readonly problem: Problem,
    readonly serviceMessage: string,
    /** `hadNoEffect`: nothing was changed. `waitMs`: delay of the retry. `missing`: required fields. */
    readonly details: { hadNoEffect?: boolean; waitMs?: number; missing?: string[] } = {},
  ) {
    super(`${problem}: ${serviceMessage}`);
  }
}

/** Complete recipient of an invoice. `taxNumber`: VKN, TCKN, or the shared number of consumers. */
export interface InvoiceRecipient extends Pick<BillTo, "tax_office" | "email"> {
  isCompany: boolean;
  title: string;
  taxNumber: string;
  isConsumer: boolean;
  address: string;
  district: string;
  city: string;
}

export interface InvoiceDraft {
  contactId: string;
  marker: string;
  /** Date in Turkey, YYYY-MM-DD. */
  issueDate: string;
  grossMinor: number;
  unitMinor: number;
  vatRate: number;
  text: string;
}

export interface RemoteInvoice {
  id: string;
  totalMinor: number;
  /** Set once the invoice is paid; `id` is null if someone recorded the payment manually. */
  payment: { id: string | null } | undefined;
  document: RemoteEDocument | undefined;
  isCancelled: boolean;
}

export interface RemoteEDocument {
  kind: EDocumentKind;
  id: string;
  uuid: string | null;
  number: string | null;
  cancellableUntil: Date | null;
}

type EDocumentKind = "e_archive" | "e_invoice";

export interface SettingCheck {
  name: "account" | "company" | "bank_account";
  ok: boolean;
  problem: Problem | null;
}

/** Interface of an accounting service. Every function throws {@link AccountingFailure} if a call fails. */
export interface AccountingProvider {
  name: string;
  findContact(call: Call, recipient: InvoiceRecipient): Promise<{ id: string; differs: boolean } | undefined>;
  createContact(call: Call, recipient: InvoiceRecipient): Promise<string>;
  updateContact(call: Call, id: string, recipient: InvoiceRecipient): Promise<void>;
  findInvoice(
    call: Call,
    search: Pick<InvoiceDraft, "contactId" | "issueDate" | "marker">,
  ): Promise<RemoteInvoice | undefined>;
  createInvoice(call: Call, draft: InvoiceDraft): Promise<RemoteInvoice>;
  readInvoice(call: Call, id: string, marker: string): Promise<RemoteInvoice | undefined>;
  removeInvoice(call: Call, id: string): Promise<void>;
  cancelInvoice(call: Call, id: string): Promise<void>;
  recordPayment(
    call: Call,
    invoiceId: string,
    payment: { day: string; grossMinor: number; marker: string },
  ): Promise<string>;
  /** Returns the e-invoice inbox of a tax number; undefined if it has none. */
  findInbox(call: Call, taxNumber: string): Promise<string | undefined>;
  /** Returns the ID of the job that creates the e-document. */
  requestEDocument(
    call: Call,
    invoiceId: string,
    request: { kind: "e_archive"; paidOn: string } | { kind: "e_invoice"; to: string },
  ): Promise<string>;
  getJob(
    call: Call,
    id: string,
  ): Promise<{ state: "running" | "done" | "gone" } | { state: "error"; message: string }>;
  /** Returns a URL that is valid for one hour; undefined while the PDF is being created. */
  getPdfUrl(call: Call, document: Pick<RemoteEDocument, "kind" | "id">): Promise<string | undefined>;
  checkSettings(call: Call): Promise<SettingCheck[]>;
}

export interface CallRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to the company's URL; with a leading slash, to the service's. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  acceptedStatuses?: readonly number[];
}

/** Makes one request with a valid token. Returns the JSON body, `{}` if empty. */
export type Call = (request: CallRequest) => Promise<{ status: number; body: unknown }>;

import type { BillTo } from "@/server/domains/billing/billing-profile/service";
import type { Problem } from "../policy";

/** A failed call: its class, and the service's message without personal data. */
export class AccountingFailure extends Error {
  override name = "AccountingFailure";
  constructor(
    readonly problem: Problem,
    readonly words: string,
    /** `certain`: nothing was changed. `wait`: milliseconds before a retry. `missing`: required fields. */
    readonly more: { certain?: boolean; wait?: number; missing?: string[] } = {},
  ) {
    super(`${problem}: ${words}`);
  }
}

/** Complete recipient of an invoice. `number`: VKN, TCKN, or the shared number of consumers. */
export interface InvoiceRecipient extends Pick<BillTo, "tax_office" | "email"> {
  isCompany: boolean;
  title: string;
  number: string;
  /** True when `number` is the shared one. */
  isConsumer: boolean;
  address: string;
  district: string;
  city: string;
}

export interface Draft {
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
  /** Set when the payment is recorded; `id` is null if not recorded by us. */
  paid: { id: string | null } | undefined;
  document: RemoteDocument | undefined;
  isCancelled: boolean;
}

export interface RemoteDocument {
  kind: Kind;
  id: string;
  uuid: string | null;
  number: string | null;
  cancellableUntil: Date | null;
}

type Kind = "e_archive" | "e_invoice";

export interface Check {
  name: "account" | "company" | "bank_account";
  ok: boolean;
  problem: Problem | null;
}

/** Interface of an accounting service. Functions make one request or throw {@link AccountingFailure}. */
export interface AccountingProvider {
  name: string;
  findContact(call: Call, party: InvoiceRecipient): Promise<{ id: string; differs: boolean } | undefined>;
  createContact(call: Call, party: InvoiceRecipient): Promise<string>;
  updateContact(call: Call, id: string, party: InvoiceRecipient): Promise<void>;
  findInvoice(
    call: Call,
    search: Pick<Draft, "contactId" | "issueDate" | "marker">,
  ): Promise<RemoteInvoice | undefined>;
  createInvoice(call: Call, draft: Draft): Promise<RemoteInvoice>;
  /** Undefined when the invoice was deleted. */
  readInvoice(call: Call, id: string, marker: string): Promise<RemoteInvoice | undefined>;
  removeInvoice(call: Call, id: string): Promise<void>;
  cancelInvoice(call: Call, id: string): Promise<void>;
  pay(
    call: Call,
    invoiceId: string,
    payment: { day: string; grossMinor: number; marker: string },
  ): Promise<string>;
  /** E-invoice inbox of a tax number; undefined if it has none. */
  inboxOf(call: Call, number: string): Promise<string | undefined>;
  /** Requests the e-document and returns the ID of the job that creates it. */
  issue(
    call: Call,
    invoiceId: string,
    order: { kind: "e_archive"; paidOn: string } | { kind: "e_invoice"; to: string },
  ): Promise<string>;
  jobOf(
    call: Call,
    id: string,
  ): Promise<{ state: "running" | "done" | "gone" } | { state: "error"; texts: string }>;
  /** URL of the PDF, valid for one hour; undefined while it is being created. */
  pdfOf(call: Call, document: Pick<RemoteDocument, "kind" | "id">): Promise<string | undefined>;
  /** Checks all settings. Creates nothing. */
  check(call: Call): Promise<Check[]>;
}

export interface CallRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to the company's URL; with a leading slash, to the service's. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  /** Statuses other than 2xx that are not failures. */
  accepts?: readonly number[];
}

/** Makes one request with a valid token. Returns the JSON body, `{}` if empty. */
export type Call = (request: CallRequest) => Promise<{ status: number; body: unknown }>;

import type { BillTo } from "@/server/domains/billing/billing-profile/service";
import type { Problem } from "../policy";

/** A call that did not succeed: its class, and the service's own words as far as they may be kept. */
export class AccountingFailure extends Error {
  override name = "AccountingFailure";
  constructor(
    readonly problem: Problem,
    readonly words: string,
    /** `certain`: nothing was done. `wait`: milliseconds that the service asked for. `missing`: fields it refused. */
    readonly more: { certain?: boolean; wait?: number; missing?: string[] } = {},
  ) {
    super(`${problem}: ${words}`);
  }
}

/** Whom an invoice is made out to, complete. `number`: VKN, TCKN, or the number that stands for any consumer. */
export interface Party extends Pick<BillTo, "tax_office" | "email"> {
  isCompany: boolean;
  title: string;
  number: string;
  /** The number is not the party's own. */
  isConsumer: boolean;
  address: string;
  district: string;
  city: string;
}

export interface Draft {
  contactId: string;
  /** Finds it again. */
  marker: string;
  /** A day in Turkey. */
  issueDate: string;
  grossMinor: number;
  /** One unit without VAT, in minor units. */
  unitMinor: number;
  vatRate: number;
  /** What was sold, in Turkish, as on the paper. */
  text: string;
}

export interface RemoteInvoice {
  id: string;
  /** The grand total, in minor units. */
  totalMinor: number;
  /** Somebody recorded its payment. */
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

/** One line of the connection test. */
export interface Check {
  name: "account" | "company" | "bank_account";
  ok: boolean;
  problem: Problem | null;
}

/** The accounting service. Each function makes one call, or throws {@link AccountingFailure}; finding creates nothing. */
export interface AccountingProvider {
  name: string;
  findContact(call: Call, party: Party): Promise<{ id: string; differs: boolean } | undefined>;
  createContact(call: Call, party: Party): Promise<string>;
  updateContact(call: Call, id: string, party: Party): Promise<void>;
  findInvoice(
    call: Call,
    known: Pick<Draft, "contactId" | "issueDate" | "marker">,
  ): Promise<RemoteInvoice | undefined>;
  createInvoice(call: Call, draft: Draft): Promise<RemoteInvoice>;
  /** Undefined: there is none any more. */
  readInvoice(call: Call, id: string, marker: string): Promise<RemoteInvoice | undefined>;
  removeInvoice(call: Call, id: string): Promise<void>;
  cancelInvoice(call: Call, id: string): Promise<void>;
  pay(
    call: Call,
    invoiceId: string,
    payment: { day: string; grossMinor: number; marker: string },
  ): Promise<string>;
  /** Where e-invoices for this number go; undefined when it has no such box. */
  inboxOf(call: Call, number: string): Promise<string | undefined>;
  /** Asks for the electronic document and returns the number of the job that makes it. */
  issue(
    call: Call,
    invoiceId: string,
    order: { kind: "e_archive"; paidOn: string } | { kind: "e_invoice"; to: string },
  ): Promise<string>;
  jobOf(
    call: Call,
    id: string,
  ): Promise<{ state: "running" | "done" | "gone" } | { state: "error"; texts: string }>;
  /** Address of the PDF, good for an hour; undefined while it is being made. */
  pdfOf(call: Call, document: Pick<RemoteDocument, "kind" | "id">): Promise<string | undefined>;
  /** Looks whether everything that is set is right. Creates nothing. */
  check(call: Call): Promise<Check[]>;
}

export interface CallRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the company's address; one that begins with a slash is below the service's own. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  /** Statuses beyond 200 to 299 that the caller understands. */
  accepts?: readonly number[];
}

/** Makes one call with a valid token. Returns what was answered as JSON, `{}` for nothing. */
export type Call = (request: CallRequest) => Promise<{ status: number; body: unknown }>;

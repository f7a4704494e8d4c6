import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import {
  count,
  Done,
  expiry,
  line,
  MAX_ID,
  message,
  pathId,
  queryInt,
  recordId,
  success,
  timestamp,
} from "@/server/core/schema";
import { BillingProfileInput, BillTo } from "@/server/domains/billing/billing-profile/contract";
import { DOCUMENT_STATES } from "@/server/domains/billing/records/contract";
import { PROBLEMS, STEPS } from "./policy";

const ADMIN = { tag: "Accounting", access: "token", ability: "admin:*" } as const;
const ONE = { record: "AccountingDocument", params: z.object({ id: pathId }) } as const;
const PDF = "application/pdf";

const state = z.enum(DOCUMENT_STATES).meta({ example: "polling" });
const step = z.enum([...STEPS, "cancelling"]).meta({ example: "polling" });
const problem = z.enum(PROBLEMS).meta({ example: "transient" });
const missing = z.array(z.string().meta({ example: "tax_number" }));
const remoteId = z.string().nullable().meta({ example: "1001" });

const Customer = z.object({
  id: recordId,
  name: z.string().meta({ example: "Ayşe Kaya" }),
  email: z.string().meta({ example: "ayse@example.com" }),
});

export const DocumentRow = z
  .object({
    id: recordId,
    payment_id: recordId,
    user_id: recordId,
    user: Customer,
    state,
    /** Where `needs_data` and `failed` stand. */
    step: step.nullable(),
    amount: z.number().meta({ example: 9999 }),
    net: z.number().meta({ example: 8332.5 }),
    vat: z.number().meta({ example: 1666.5 }),
    vat_rate: z.int().meta({ example: 20 }),
    currency: z.string().meta({ example: "TRY" }),
    /** A day in Turkey. */
    paid_at: z.string().meta({ example: "2027-11-20" }),
    deadline_at: expiry,
    /** The end of the law's seven days is past, and there is no invoice. */
    is_late: z.boolean().meta({ example: false }),
    number: z.string().nullable().meta({ example: "TLA2027000001001" }),
    problem: problem.nullable(),
    missing,
    has_pdf: z.boolean().meta({ example: false }),
    created_at: timestamp,
  })
  .meta({ id: "DocumentRow" });

const CallRow = z.object({
  id: recordId,
  step,
  call: z.string().meta({ example: "POST sales_invoices" }),
  status: z.int().nullable().meta({ example: 201 }),
  outcome: z.enum(["ok", ...PROBLEMS]).meta({ example: "ok" }),
  detail: z.string().nullable().meta({ example: null }),
  /** Milliseconds. */
  ms: z.int().meta({ example: 120 }),
  at: timestamp,
});

const Standing = z
  .object({
    configured: z.boolean().meta({ example: true }),
    paused_at: timestamp.nullable().meta({ example: null }),
    paused_reason: problem.nullable().meta({ example: null }),
    tested_at: timestamp.nullable(),
    open: count,
    late: count,
  })
  .meta({ id: "AccountingStanding" });

const DocumentFilter = listFilter({
  sorts: ["deadline_at", "created_at", "amount"],
  filters: {
    state: state.nullish(),
    due: z.enum(["late", "2d", "7d"]).meta({ example: "late" }).nullish(),
    user_id: queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" }).nullish(),
    payment_id: queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" }).nullish(),
  },
});

export const listDocuments = operation({
  id: "listDocuments",
  method: "GET",
  path: "/api/admin/accounting",
  ...ADMIN,
  summary: "List the invoices of payments",
  description:
    "The default order is the law's deadline. `due` leaves those that are done, skipped or cancelled out. `q` finds parts of the " +
    "account's address or of the invoice's number, or the number of the row. `accounting` says whether invoices are being made.",
  query: DocumentFilter.extend(pageQuery.shape),
  status: 200,
  output: z.object({
    success,
    documents: z.array(DocumentRow),
    data: z.array(DocumentRow),
    count,
    meta: PageMeta,
    accounting: Standing,
  }),
});

export const downloadDocuments = operation({
  id: "downloadDocuments",
  method: "GET",
  path: "/api/admin/accounting.csv",
  ...ADMIN,
  summary: "Download the same invoices as a CSV file",
  description: "All rows that match, without pages.",
  limit: { points: 60, per: 3600, by: "account" },
  query: DocumentFilter,
  status: 200,
  file: CSV,
  output: z.never(),
});

export const DocumentDetails = DocumentRow.extend({
  marker: z.string().meta({ example: "TLL-1F0C2A9B7D3E4F56" }),
  issue_date: z.string().nullable().meta({ example: "2027-11-21" }),
  /** Why it is this kind: the number has a box for e-invoices, or it has none. */
  kind: z.enum(["e_archive", "e_invoice"]).nullable().meta({ example: "e_archive" }),
  remote: z.object({ contact: remoteId, invoice: remoteId, payment: remoteId, document: remoteId }),
  uuid: z.string().nullable().meta({ example: "00000000-0000-4000-8000-000000001001" }),
  cancellable_until: expiry.nullable(),
  problem_text: z.string().nullable().meta({ example: null }),
  attempts: z.int().meta({ example: 0 }),
  next_at: timestamp.nullable(),
  /** Somebody works at it at this moment. */
  is_busy: z.boolean().meta({ example: false }),
  skipped_at: timestamp.nullable().meta({ example: null }),
  skipped_by: z.string().nullable().meta({ example: null }),
  skip_reason: z.string().nullable().meta({ example: null }),
  done_at: timestamp.nullable(),
  /** As it was frozen. */
  bill_to: BillTo,
  can: z.object({
    resume: z.boolean().meta({ example: true }),
    change: z.boolean().meta({ example: false }),
    skip: z.boolean().meta({ example: false }),
    lift: z.boolean().meta({ example: false }),
  }),
  /** The newest two hundred, in their order. */
  calls: z.array(CallRow),
}).meta({ id: "DocumentDetails" });

export const getDocument = operation({
  id: "getDocument",
  method: "GET",
  path: "/api/admin/accounting/{id}",
  ...ADMIN,
  ...ONE,
  summary: "Get one invoice with every call that was made for it",
  status: 200,
  output: z.object({ success, document: DocumentDetails, data: DocumentDetails }),
  errors: ["record_not_found"],
});

const reason = line({ max: 500 }).meta({ example: "The customer has paid by mistake." });

export const resumeDocument = operation({
  id: "resumeDocument",
  method: "POST",
  path: "/api/admin/accounting/{id}/resume",
  ...ADMIN,
  ...ONE,
  summary: "Go on with an invoice now",
  description:
    "From the step where it stands. What was done already is looked for first, and never done twice.",
  status: 200,
  output: Done,
  errors: ["record_not_found", "document_closed"],
});

export const putDocumentData = operation({
  id: "putDocumentData",
  method: "PUT",
  path: "/api/admin/accounting/{id}/data",
  ...ADMIN,
  ...ONE,
  summary: "Save whom an invoice is made out to",
  description:
    "Changes the account's billing details, too, while there is an account. Refused once the invoice was sent to the accounting " +
    "service. A tax number that is left out stays as it was frozen.",
  body: BillingProfileInput,
  status: 200,
  output: Done,
  errors: ["record_not_found", "document_closed", "document_begun"],
});

export const skipDocument = operation({
  id: "skipDocument",
  method: "POST",
  path: "/api/admin/accounting/{id}/skip",
  ...ADMIN,
  ...ONE,
  summary: "Never make an invoice",
  description:
    "For good: no job makes it unless an administrator lifts this. `confirmation` is the word SKIP, or ATLA. What could not be " +
    "taken back is closed by the same call, once that was done by hand.",
  body: z.object({ reason, confirmation: line({ max: 40 }).meta({ example: "SKIP" }) }),
  status: 200,
  output: Done,
  errors: ["record_not_found", "document_closed", "document_begun"],
});

export const unskipDocument = operation({
  id: "unskipDocument",
  method: "POST",
  path: "/api/admin/accounting/{id}/unskip",
  ...ADMIN,
  ...ONE,
  summary: "Make an invoice that was skipped",
  body: z.object({ reason }),
  status: 200,
  output: Done,
  errors: ["record_not_found", "document_closed"],
});

export const downloadDocument = operation({
  id: "downloadDocument",
  method: "GET",
  path: "/api/admin/accounting/{id}/pdf",
  ...ADMIN,
  ...ONE,
  summary: "Download an invoice",
  status: 200,
  file: PDF,
  output: z.never(),
  errors: ["record_not_found"],
});

export const downloadInvoice = operation({
  id: "downloadInvoice",
  method: "GET",
  path: "/api/billing/documents/{id}/pdf",
  tag: "Billing",
  summary: "Download the invoice of one of your payments",
  access: "token",
  viewAs: false,
  ...ONE,
  status: 200,
  file: PDF,
  output: z.never(),
  errors: ["record_not_found"],
});

export const testAccounting = operation({
  id: "testAccounting",
  method: "POST",
  path: "/api/admin/accounting/test",
  ...ADMIN,
  summary: "Test the connection to the accounting service",
  description:
    "Looks at the account, the company and the bank account, and creates nothing. When all is well, invoices that were paused go on.",
  limit: { points: 10, per: 60, by: "account" },
  status: 200,
  output: z.object({
    success,
    message,
    ok: z.boolean().meta({ example: true }),
    checks: z.array(
      z.object({
        name: z.enum(["account", "company", "bank_account"]).meta({ example: "company" }),
        ok: z.boolean().meta({ example: true }),
        problem: problem.nullable().meta({ example: null }),
      }),
    ),
  }),
});

import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV_DOWNLOAD, listFilter, listOutput, PageMeta, pageQuery } from "@/server/core/list";
import {
  count,
  createdAt,
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

const state = z.enum(DOCUMENT_STATES).meta({ description: "State of the invoice.", example: "polling" });
const step = z
  .enum([...STEPS, "cancelling"])
  .meta({ description: "Step of the processing.", example: "polling" });
const problem = z.enum(PROBLEMS).meta({ example: "transient" });
const missing = z
  .array(z.string().meta({ example: "tax_number" }))
  .meta({ description: "Billing details that are missing." });
const remoteId = z.string().nullable().meta({ example: "1001" });

const Customer = z.object({
  id: recordId,
  name: z.string().meta({ description: "Name of the customer.", example: "Ayşe Kaya" }),
  email: z.string().meta({ description: "E-mail address of the customer.", example: "ayse@example.com" }),
});

export const DocumentRow = z
  .object({
    id: recordId,
    payment_id: recordId.meta({ description: "ID of the payment." }),
    user_id: recordId.meta({ description: "ID of the account." }),
    user: Customer.meta({ description: "The customer; null once the account is deleted." }),
    state,
    step: step
      .nullable()
      .meta({ description: "Step where `needs_data` or `failed` occurred; null otherwise." }),
    amount: z.number().meta({ description: "Gross amount.", example: 9999 }),
    net: z.number().meta({ description: "Amount without VAT.", example: 8332.5 }),
    vat: z.number().meta({ description: "VAT amount.", example: 1666.5 }),
    vat_rate: z.int().meta({ description: "VAT rate in per cent.", example: 20 }),
    currency: z.string().meta({ description: "ISO 4217 currency code.", example: "TRY" }),
    paid_at: z.string().meta({ description: "Day of the payment, in Turkey.", example: "2027-11-20" }),
    deadline_at: expiry.meta({ description: "Legal deadline for the invoice." }),
    is_late: z.boolean().meta({
      description: "True when the legal deadline of seven days has passed without an invoice.",
      example: false,
    }),
    number: z
      .string()
      .nullable()
      .meta({ description: "Number of the invoice; null until it has one.", example: "TLA2027000001001" }),
    problem: problem.nullable().meta({ description: "Kind of problem; null if none." }),
    missing,
    has_pdf: z.boolean().meta({ description: "True when there is a PDF.", example: false }),
    created_at: createdAt,
  })
  .meta({ id: "DocumentRow", description: "An invoice and its processing state." });

const CallRow = z.object({
  id: recordId,
  step,
  call: z
    .string()
    .meta({ description: "Method and path of the call, without secrets.", example: "POST sales_invoices" }),
  status: z
    .int()
    .nullable()
    .meta({ description: "HTTP status of the response; null without a response.", example: 201 }),
  outcome: z.enum(["ok", ...PROBLEMS]).meta({ description: "Result of the call.", example: "ok" }),
  detail: z.string().nullable().meta({ description: "Details of the result; null if none.", example: null }),
  ms: z.int().meta({ description: "Duration in milliseconds.", example: 120 }),
  at: timestamp.meta({ description: "When the call was made." }),
});

const Standing = z
  .object({
    configured: z
      .boolean()
      .meta({ description: "True when the accounting service is set up.", example: true }),
    paused_at: timestamp
      .nullable()
      .meta({ description: "When invoicing was paused; null while it runs.", example: null }),
    paused_reason: problem
      .nullable()
      .meta({ description: "Why invoicing was paused; null while it runs.", example: null }),
    tested_at: timestamp
      .nullable()
      .meta({ description: "When the connection was last tested; null if never." }),
    open: count.meta({ description: "Number of open invoices." }),
    late: count.meta({ description: "Number of invoices past their deadline." }),
  })
  .meta({ id: "AccountingStanding", description: "State of the invoicing." });

const DocumentFilter = listFilter({
  sorts: ["deadline_at", "created_at", "amount"],
  filters: {
    state: state.nullish().meta({ description: "Only invoices in this state." }),
    due: z.enum(["late", "2d", "7d"]).nullish().meta({
      description: "Only open invoices past their deadline, or due within 2 or 7 days.",
      example: "late",
    }),
    user_id: queryInt({ min: 1, max: MAX_ID })
      .meta({ example: "7" })
      .nullish()
      .meta({ description: "Only invoices of this account." }),
    payment_id: queryInt({ min: 1, max: MAX_ID })
      .meta({ example: "7" })
      .nullish()
      .meta({ description: "Only the invoice of this payment." }),
  },
});

export const listDocuments = operation({
  id: "listDocuments",
  method: "GET",
  path: "/api/admin/accounting",
  ...ADMIN,
  summary: "List the invoices of payments",
  description:
    "Ordered by legal deadline by default. `due` excludes invoices that are done, skipped or cancelled. `q` is a part of " +
    "the account's e-mail address or of the invoice number, or the ID. `accounting` is the state of the invoicing.",
  query: DocumentFilter.extend(pageQuery.shape),
  output: listOutput("documents", DocumentRow, "Invoices on this page.", {
    meta: PageMeta,
    accounting: Standing,
  }),
});

export const downloadDocuments = operation({
  id: "downloadDocuments",
  method: "GET",
  path: "/api/admin/accounting.csv",
  ...ADMIN,
  summary: "Download invoices as a CSV file",
  description: "All matching rows, without pages.",
  query: DocumentFilter,
  ...CSV_DOWNLOAD,
});

export const DocumentDetails = DocumentRow.extend({
  marker: z.string().meta({
    description: "Marker used to find the invoice at the accounting service.",
    example: "TLL-1F0C2A9B7D3E4F56",
  }),
  issue_date: z
    .string()
    .nullable()
    .meta({ description: "Day of the invoice; null until it is issued.", example: "2027-11-21" }),
  kind: z.enum(["e_archive", "e_invoice"]).nullable().meta({
    description: "Kind of invoice, by whether the tax number can receive e-invoices; null until known.",
    example: "e_archive",
  }),
  remote: z
    .object({
      contact: remoteId.meta({ description: "ID of the contact; null if none." }),
      invoice: remoteId.meta({ description: "ID of the invoice; null if none." }),
      payment: remoteId.meta({ description: "ID of the payment; null if none." }),
      document: remoteId.meta({ description: "ID of the e-document; null if none." }),
    })
    .meta({ description: "IDs at the accounting service." }),
  uuid: z.string().nullable().meta({
    description: "UUID of the e-document; null if none.",
    example: "00000000-0000-4000-8000-000000001001",
  }),
  cancellable_until: expiry
    .nullable()
    .meta({ description: "Deadline to cancel the invoice at the accounting service; null if none." }),
  problem_text: z
    .string()
    .nullable()
    .meta({ description: "Message of the accounting service; null if none.", example: null }),
  attempts: z.int().meta({ description: "Number of attempts.", example: 0 }),
  next_at: timestamp
    .nullable()
    .meta({ description: "When the next attempt starts; null if none is planned." }),
  is_busy: z.boolean().meta({ description: "True while the invoice is being processed.", example: false }),
  skipped_at: timestamp
    .nullable()
    .meta({ description: "When the invoice was skipped; null if it was not.", example: null }),
  skipped_by: z.string().nullable().meta({
    description: "Administrator who skipped the invoice; null if it was not skipped.",
    example: null,
  }),
  skip_reason: z
    .string()
    .nullable()
    .meta({ description: "Why the invoice was skipped; null if it was not.", example: null }),
  done_at: timestamp.nullable().meta({ description: "When the invoice was finished; null if not yet." }),
  bill_to: BillTo.meta({ description: "Billing details, fixed when the invoice was created." }),
  can: z
    .object({
      resume: z.boolean().meta({ description: "True when processing can resume.", example: true }),
      change: z
        .boolean()
        .meta({ description: "True when the billing details can be changed.", example: false }),
      skip: z.boolean().meta({ description: "True when the invoice can be skipped.", example: false }),
      lift: z.boolean().meta({ description: "True when skipping can be undone.", example: false }),
    })
    .meta({ description: "Actions that are possible now." }),
  calls: z.array(CallRow).meta({ description: "Latest 200 calls, in order." }),
}).meta({ id: "DocumentDetails", description: "An invoice with the calls made for it." });

export const getDocument = operation({
  id: "getDocument",
  method: "GET",
  path: "/api/admin/accounting/{id}",
  ...ADMIN,
  ...ONE,
  summary: "Get an invoice with the calls made for it",
  output: z.object({ success, document: DocumentDetails, data: DocumentDetails }),
});

const reason = line({ max: 500 }).meta({
  description: "Reason, kept in the audit log.",
  example: "The customer has paid by mistake.",
});

export const resumeDocument = operation({
  id: "resumeDocument",
  method: "POST",
  path: "/api/admin/accounting/{id}/resume",
  ...ADMIN,
  ...ONE,
  summary: "Resume the processing of an invoice",
  description: "Resumes from the current step. Steps that are already done are detected and never repeated.",
  output: Done,
  errors: ["document_closed"],
});

export const putDocumentData = operation({
  id: "putDocumentData",
  method: "PUT",
  path: "/api/admin/accounting/{id}/data",
  ...ADMIN,
  ...ONE,
  summary: "Save the billing details of an invoice",
  description:
    "Also changes the account's billing details while the account exists. Refused once the invoice was sent to the " +
    "accounting service. An omitted tax number stays unchanged.",
  body: BillingProfileInput,
  output: Done,
  errors: ["document_closed", "document_begun"],
});

export const skipDocument = operation({
  id: "skipDocument",
  method: "POST",
  path: "/api/admin/accounting/{id}/skip",
  ...ADMIN,
  ...ONE,
  summary: "Skip an invoice",
  description:
    "Permanent: no job creates the invoice unless an administrator undoes this. `confirmation` is the word SKIP, or ATLA. " +
    "Also closes an invoice that could not be reversed automatically, once that was done by hand.",
  body: z.object({
    reason,
    confirmation: line({ max: 40 }).meta({ description: "The word SKIP, or ATLA.", example: "SKIP" }),
  }),
  output: Done,
  errors: ["document_closed", "document_begun"],
});

export const unskipDocument = operation({
  id: "unskipDocument",
  method: "POST",
  path: "/api/admin/accounting/{id}/unskip",
  ...ADMIN,
  ...ONE,
  summary: "Undo the skipping of an invoice",
  body: z.object({ reason }),
  output: Done,
  errors: ["document_closed"],
});

export const downloadDocument = operation({
  id: "downloadDocument",
  method: "GET",
  path: "/api/admin/accounting/{id}/pdf",
  ...ADMIN,
  ...ONE,
  summary: "Download an invoice",
  file: PDF,
  output: z.never(),
});

export const downloadInvoice = operation({
  id: "downloadInvoice",
  method: "GET",
  path: "/api/billing/documents/{id}/pdf",
  tag: "Billing",
  summary: "Download the invoice of one of the caller's payments",
  access: "token",
  viewAs: false,
  ...ONE,
  file: PDF,
  output: z.never(),
});

export const testAccounting = operation({
  id: "testAccounting",
  method: "POST",
  path: "/api/admin/accounting/test",
  ...ADMIN,
  summary: "Test the connection to the accounting service",
  description:
    "Reads the account, the company and the bank account, and creates nothing. If all checks pass, paused invoicing " +
    "resumes.",
  limit: { points: 10, per: 60, by: "account" },
  output: z.object({
    success,
    message,
    ok: z.boolean().meta({ description: "True when every check passed.", example: true }),
    checks: z
      .array(
        z.object({
          name: z
            .enum(["account", "company", "bank_account"])
            .meta({ description: "Subject of the check.", example: "company" }),
          ok: z.boolean().meta({ description: "True when the check passed.", example: true }),
          problem: problem.nullable().meta({ description: "Kind of problem; null if none.", example: null }),
        }),
      )
      .meta({ description: "Results by check." }),
  }),
});

import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { CSV_DOWNLOAD, listFilter, listOutput, PageMeta, pageQuery } from "@/server/core/list";
import {
  byId,
  count,
  createdAt,
  Done,
  expiry,
  queryId,
  recordId,
  textLine,
  timestamp,
} from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import { BillingProfileInput, BillTo } from "@/server/domains/billing/billing-profile/contract";
import { DOCUMENT_STATES } from "@/server/domains/billing/records/contract";
import { PROBLEMS, STEP_STATES } from "./policy";

export { STATES_WITH_DEADLINE } from "./policy";

/* A document is the invoice of one payment. An e-document is its official electronic form. */

const ADMIN_OPERATION = { tag: "Accounting", access: "token", ability: "admin:*" } as const;
const BY_DOCUMENT_ID = byId("AccountingDocument");
const PDF_TYPE = "application/pdf";

const state = f.oneOf(
  DOCUMENT_STATES,
  "State of the invoice. `queued` to `pdf` are the processing steps, in order; `done` follows. `needs_data` waits for " +
    "billing details, `failed` for an administrator. A `skipped` invoice is not created. After a reversal, the state is " +
    "`cancelling`, then `cancelled`.",
  "polling",
);
const step = f.oneOf([...STEP_STATES, "cancelling"], "Processing step.", "polling");
const problem = z.enum(PROBLEMS).meta({ example: "transient" });
const PROBLEM_DESCRIPTION =
  "Kind of problem; null if none. `transient`, `protocol`, `storage`: the step is retried. `credentials`, `refused`: " +
  "invoicing is paused. `data`: billing details are missing or invalid. The others need an administrator. `by_hand`: " +
  "foreign customer or currency, or too late to cancel. `amount`: no net price gives the amount paid. `document`: the " +
  "e-document could not be created.";
const missing = f.list(z.string(), "Missing billing details, such as `tax_number`.", []);
const remoteId = z.string().nullable().meta({ example: "1001" });

const Customer = z.object({
  id: recordId,
  name: f.text("Name of the customer.", "Ayşe Kaya"),
  email: f.text("Email address of the customer.", "ayse@example.com"),
});

export const DocumentRow = f.namedObject("DocumentRow", "An invoice and its processing state.", {
  id: recordId,
  payment_id: recordId.meta({ description: "ID of the payment." }),
  user_id: recordId.meta({ description: "ID of the account." }),
  user: Customer.meta({ description: "The customer." }),
  state,
  step: f.nullable(
    step,
    "Step at which the invoice became `needs_data` or `failed`; null in other states.",
    null,
  ),
  amount: z.number().meta({ description: "Gross amount.", example: 9999 }),
  net: z.number().meta({ description: "Amount without VAT.", example: 8332.5 }),
  vat: z.number().meta({ description: "VAT amount.", example: 1666.5 }),
  vat_rate: f.integer("VAT rate in per cent.", 20),
  currency: f.text("ISO 4217 currency code.", "TRY"),
  paid_at: f.text("Day of the payment, in Turkey.", "2027-11-20"),
  deadline_at: expiry.meta({
    description: "Legal deadline for the invoice: the end of the seventh day after the payment, in Turkey.",
    example: "2027-11-27T20:59:59.999000Z",
  }),
  is_late: f.boolean("True when the legal deadline has passed without an invoice.", false),
  number: f.nullable(z.string(), "Number of the invoice; null until it has one.", null),
  problem: f.nullable(problem, PROBLEM_DESCRIPTION, null),
  missing,
  has_pdf: f.boolean("True when there is a PDF.", false),
  created_at: createdAt,
});

const CallRow = z.object({
  id: recordId,
  step,
  call: f.text("Method and path of the call, without secrets.", "GET trackable_jobs/4001"),
  status: f.nullable(z.int(), "HTTP status of the response; null without a response.", 200),
  outcome: f.oneOf(["ok", ...PROBLEMS], "Result of the call.", "ok"),
  detail: f.nullable(z.string(), "Details of the result; null if none.", null),
  ms: f.integer("Duration in milliseconds.", 120),
  at: timestamp.meta({ description: "When the call was made." }),
});

const InvoicingState = f.namedObject("AccountingStanding", "State of the invoicing.", {
  configured: f.boolean("True when the accounting service is set up.", true),
  paused_at: f.nullable(timestamp, "When invoicing was paused; null while it runs.", null),
  paused_reason: f.nullable(problem, "Why invoicing was paused; null while it runs.", null),
  tested_at: f.nullable(timestamp, "When the connection was last tested; null if never."),
  open: count.meta({ description: "Number of invoices being processed." }),
  late: count.meta({ description: "Number of invoices past their deadline.", example: 0 }),
});

const DocumentFilter = listFilter({
  sorts: ["deadline_at", "created_at", "amount"],
  filters: {
    state: f.nullish(state, "Only invoices in this state."),
    due: f.nullish(
      z.enum(["late", "2d", "7d"]),
      "Only open invoices past their deadline, or due within 2 or 7 days.",
      "late",
    ),
    user_id: f.nullish(queryId, "Only invoices of this account."),
    payment_id: f.nullish(queryId, "Only the invoice of this payment."),
  },
});

export const listDocuments = operation({
  id: "listDocuments",
  method: "GET",
  path: "/api/admin/accounting",
  ...ADMIN_OPERATION,
  summary: "List the invoices of payments",
  description:
    "Sorted by legal deadline by default. `due` excludes invoices that are done, skipped, cancelling or cancelled. Each " +
    "word of `q` must be a part of the account's email address or of the invoice number, or the ID of the invoice. " +
    "`accounting` is the state of the invoicing.",
  query: DocumentFilter.extend(pageQuery.shape),
  output: listOutput("documents", DocumentRow, "Invoices on this page.", {
    meta: PageMeta,
    accounting: InvoicingState,
  }),
});

export const downloadDocuments = operation({
  id: "downloadDocuments",
  path: "/api/admin/accounting.csv",
  ...ADMIN_OPERATION,
  summary: "Download invoices as a CSV file",
  description: "Contains all matching rows; there are no pages.",
  query: DocumentFilter,
  ...CSV_DOWNLOAD,
});

export const DocumentDetails = DocumentRow.extend({
  marker: f.text("Marker used to find the invoice at the accounting service.", "TLL-1F0C2A9B7D3E4F56"),
  issue_date: f.nullable(z.string(), "Day of the invoice; null until it is issued.", "2027-11-20"),
  kind: f.nullable(
    z.enum(["e_archive", "e_invoice"]),
    "Kind of e-document: `e_invoice` if the tax number can receive e-invoices, otherwise `e_archive`. Null until known.",
    "e_archive",
  ),
  remote: z
    .object({
      contact: remoteId.meta({ description: "ID of the contact; null if none." }),
      invoice: remoteId.meta({ description: "ID of the invoice; null if none.", example: "2001" }),
      payment: remoteId.meta({ description: "ID of the payment; null if none.", example: "3001" }),
      document: remoteId.meta({ description: "ID of the e-document; null if none.", example: null }),
    })
    .meta({ description: "IDs at the accounting service." }),
  uuid: f.nullable(z.string(), "UUID of the e-document; null if none.", null),
  cancellable_until: f.nullable(
    expiry,
    "Deadline to cancel the invoice at the accounting service; null if none.",
    null,
  ),
  problem_text: f.nullable(z.string(), "Message of the accounting service; null if none.", null),
  attempts: f.integer("Number of attempts of the current step so far.", 0),
  next_at: f.nullable(timestamp, "When the next attempt starts; null if none is planned."),
  is_busy: f.boolean("True while the invoice is being processed.", false),
  skipped_at: f.nullable(timestamp, "When the invoice was skipped; null if it was not.", null),
  skipped_by: f.nullable(
    z.string(),
    "Administrator who skipped the invoice; null if it was not skipped.",
    null,
  ),
  skip_reason: f.nullable(z.string(), "Why the invoice was skipped; null if it was not.", null),
  done_at: f.nullable(timestamp, "When the invoice was finished; null if not yet.", null),
  bill_to: BillTo.meta({ description: "Billing details, fixed when the invoice was created." }),
  can: z
    .object({
      resume: f.boolean("True when processing can resume.", true),
      change: f.boolean("True when the billing details can be changed.", false),
      skip: f.boolean("True when the invoice can be skipped.", false),
      lift: f.boolean("True when the skipping can be undone.", false),
    })
    .meta({ description: "Actions that are possible now." }),
  calls: f.list(CallRow, "Latest 200 calls, in order."),
}).meta({ id: "DocumentDetails", description: "An invoice with the calls made for it." });

export const getDocument = operation({
  id: "getDocument",
  method: "GET",
  path: "/api/admin/accounting/{id}",
  ...ADMIN_OPERATION,
  ...BY_DOCUMENT_ID,
  summary: "Get an invoice with the calls made for it",
  output: f.success({ document: DocumentDetails, data: DocumentDetails }),
});

const reason = textLine({ max: 500 }).meta({
  description: "Reason, kept in the audit log.",
  example: "Paid by mistake; the customer gets the money back.",
});

export const resumeDocument = operation({
  id: "resumeDocument",
  method: "POST",
  path: "/api/admin/accounting/{id}/resume",
  ...ADMIN_OPERATION,
  ...BY_DOCUMENT_ID,
  summary: "Resume the processing of an invoice",
  description: "Resumes from the current step. Detects steps that are already done and does not repeat them.",
  output: Done,
  errors: ["document_closed"],
});

export const putDocumentData = operation({
  id: "putDocumentData",
  method: "PUT",
  path: "/api/admin/accounting/{id}/data",
  ...ADMIN_OPERATION,
  ...BY_DOCUMENT_ID,
  summary: "Save the billing details of an invoice",
  description:
    "Also saves them as the account's billing details, unless the account was deleted. Fails with `document_begun` once " +
    "the invoice was sent to the accounting service. An omitted tax number stays unchanged.",
  body: BillingProfileInput,
  output: Done,
  errors: ["document_closed", "document_begun"],
});

export const skipDocument = operation({
  id: "skipDocument",
  method: "POST",
  path: "/api/admin/accounting/{id}/skip",
  ...ADMIN_OPERATION,
  ...BY_DOCUMENT_ID,
  summary: "Skip an invoice",
  description:
    "Jobs do not create a skipped invoice until an administrator undoes the skipping. `confirmation` is SKIP or its " +
    "translation. Also closes an invoice that an administrator cancelled manually after the automatic cancellation failed.",
  body: z.object({
    reason,
    confirmation: textLine({ max: 40 }).meta({
      description: "The word SKIP, or its translation in another panel language.",
      example: "SKIP",
    }),
  }),
  output: Done,
  errors: ["document_closed", "document_begun"],
});

export const unskipDocument = operation({
  id: "unskipDocument",
  method: "POST",
  path: "/api/admin/accounting/{id}/unskip",
  ...ADMIN_OPERATION,
  ...BY_DOCUMENT_ID,
  summary: "Undo the skipping of an invoice",
  body: z.object({ reason: reason.meta({ example: "The payment was correct after all." }) }),
  output: Done,
  errors: ["document_closed"],
});

export const downloadDocument = operation({
  id: "downloadDocument",
  method: "GET",
  path: "/api/admin/accounting/{id}/pdf",
  ...ADMIN_OPERATION,
  ...BY_DOCUMENT_ID,
  summary: "Download an invoice as PDF",
  file: PDF_TYPE,
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
  ...BY_DOCUMENT_ID,
  file: PDF_TYPE,
  output: z.never(),
});

export const testAccounting = operation({
  id: "testAccounting",
  method: "POST",
  path: "/api/admin/accounting/test",
  ...ADMIN_OPERATION,
  summary: "Test the connection to the accounting service",
  description:
    "Reads the account, the company and the bank account. Creates nothing. If all checks pass, invoicing resumes if it " +
    "was paused.",
  limit: { points: 10, per: 60, by: "account" },
  output: f.changeOutput({
    ok: f.boolean("True when every check passed.", true),
    checks: f.list(
      z.object({
        name: f.oneOf(["account", "company", "bank_account"], "Subject of the check.", "company"),
        ok: f.boolean("True when the check passed.", true),
        problem: f.nullable(problem, "Kind of problem; null if none.", null),
      }),
      "Result of each check.",
    ),
  }),
});

export const INVOICE_PERIODS = ["30d", "7d", "90d", "12m"] as const;

const OPEN_LINES = {
  in_progress: "invoices that are being processed.",
  needs_attention: "invoices that wait for billing details or an administrator (`needs_data`, `failed`).",
} as const;

export const getInvoiceSeries = operation({
  id: "getInvoiceSeries",
  method: "GET",
  path: "/api/admin/accounting/series",
  ...ADMIN_OPERATION,
  summary: "Get invoices over time",
  description:
    "Counts invoices by the time they were created, which is when their payment was recorded, and by their state now. " +
    "Invoices are kept as the law requires.",
  query: seriesQuery({ periods: INVOICE_PERIODS }),
  output: f.success({
    data: series("InvoiceSeries", "Invoices over time.", {
      issued: "invoices that are done.",
      ...OPEN_LINES,
      skipped_or_cancelled: "invoices that are skipped, cancelled or being cancelled.",
    }),
  }),
});

export const DEADLINE_PERIODS = ["next_7d", "next_30d"] as const;

export const getInvoiceDeadlines = operation({
  id: "getInvoiceDeadlines",
  method: "GET",
  path: "/api/admin/accounting/deadlines",
  ...ADMIN_OPERATION,
  summary: "Get open invoices by their legal deadline",
  description:
    "Counts invoices that are not issued, skipped or cancelled, by the interval of their deadline. Those whose deadline " +
    "has passed are counted in `overdue` only. `compare` has no effect, because issued invoices leave the count.",
  query: seriesQuery({ periods: DEADLINE_PERIODS, intervals: ["day", "week", "month"] }),
  output: f.success({
    data: series("InvoiceDeadlines", "Open invoices by their deadline.", OPEN_LINES, {
      overdue: count.meta({ description: "Number of open invoices whose deadline has passed.", example: 0 }),
    }),
  }),
});

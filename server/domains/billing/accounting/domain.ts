import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  downloadDocument,
  downloadDocuments,
  downloadInvoice,
  getDocument,
  listDocuments,
  putDocumentData,
  resumeDocument,
  skipDocument,
  testAccounting,
  unskipDocument,
} from "./contract";
import { attachments, exports } from "./export";
import {
  backfillDocumentsJob,
  enqueueDueDocumentsJob,
  processDocumentJob,
  remindDeadlinesJob,
  sweepInvoicesJob,
} from "./jobs";
import { ACCESS_SEAL_PURPOSE } from "./service/access";
import { test } from "./service/check";
import { downloadAny, downloadOwn } from "./service/download";
import { parasutService } from "./service/external-service";
import { failedDocuments } from "./service/failed";
import { get } from "./service/get";
import { checkInvoicing } from "./service/health-check";
import { downloadCsv, list } from "./service/list";
import { putData, resume, skip, unskip } from "./service/manage";
import { INVOICE_FOLDER } from "./service/steps";

export const accounting = domain({
  operations: {
    list: handle(listDocuments, list),
    downloadList: handle(downloadDocuments, downloadCsv),
    get: handle(getDocument, get),
    resume: handle(resumeDocument, resume),
    putData: handle(putDocumentData, putData),
    skip: handle(skipDocument, skip),
    unskip: handle(unskipDocument, unskip),
    download: handle(downloadDocument, downloadAny),
    downloadOwn: handle(downloadInvoice, downloadOwn),
    test: handle(testAccounting, test),
  },
  jobs: {
    make_document: job(processDocumentJob),
    wake_documents: job(enqueueDueDocumentsJob, { cron: "* * * * *" }),
    backfill_documents: job(backfillDocumentsJob, { cron: "11 * * * *", catchUp: "1d" }),
    // 09:00 in Turkey.
    remind_deadlines: job(remindDeadlinesJob, { cron: "0 6 * * *", catchUp: "12h" }),
    sweep_invoices: job(sweepInvoicesJob, { cron: "57 * * * *", catchUp: "1d" }),
  },
  failed: { documents: failedDocuments },
  checks: { accounting: checkInvoicing },
  externalServices: { parasut: parasutService },
  stored: [{ table: "accounting_documents", column: "pdf_key", folder: INVOICE_FOLDER }],
  sealed: [
    { table: "accounting_access", column: "access_sealed", purpose: ACCESS_SEAL_PURPOSE },
    { table: "accounting_access", column: "refresh_sealed", purpose: ACCESS_SEAL_PURPOSE },
  ],
  exports,
  attachments,
  mails: ["invoice_ready", "invoice_needs_data", "accounting_paused", "invoices_due"],
  audit: [
    "invoice.resumed",
    "invoice.data_changed",
    "invoice.skipped",
    "invoice.unskipped",
    "accounting.tested",
  ],
});

import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  downloadDocument,
  downloadDocuments,
  downloadInvoice,
  getDocument,
  getInvoiceDeadlines,
  getInvoiceSeries,
  listDocuments,
  putDocumentData,
  resumeDocument,
  skipDocument,
  testAccounting,
  unskipDocument,
} from "./contract";
import { archiveReaders, listInvoiceAttachments } from "./export";
import {
  backfillDocumentsJob,
  enqueueDueDocumentsJob,
  processDocumentJob,
  remindDeadlinesJob,
  sweepInvoicesJob,
} from "./jobs";
import { ACCESS_SEAL_PURPOSE } from "./service/access";
import { getDocumentDetails } from "./service/document-details";
import { downloadAnyInvoice, downloadOwnInvoice } from "./service/download";
import { parasutService } from "./service/external-service";
import { failedDocuments } from "./service/failed-documents";
import { checkInvoicing } from "./service/health-check";
import { downloadDocumentsCsv, listDocumentPage } from "./service/list";
import { resumeInvoice, saveInvoiceData, skipInvoice, unskipInvoice } from "./service/manage";
import { countInvoicesOverTime, countOpenInvoicesByDeadline } from "./service/series";
import { INVOICE_FOLDER } from "./service/steps";
import { testAccountingConnection } from "./service/test-connection";

export const accounting = domain({
  operations: {
    list: createHandler(listDocuments, listDocumentPage),
    downloadList: createHandler(downloadDocuments, downloadDocumentsCsv),
    series: createHandler(getInvoiceSeries, countInvoicesOverTime),
    deadlines: createHandler(getInvoiceDeadlines, countOpenInvoicesByDeadline),
    get: createHandler(getDocument, getDocumentDetails),
    resume: createHandler(resumeDocument, resumeInvoice),
    putData: createHandler(putDocumentData, saveInvoiceData),
    skip: createHandler(skipDocument, skipInvoice),
    unskip: createHandler(unskipDocument, unskipInvoice),
    download: createHandler(downloadDocument, downloadAnyInvoice),
    downloadOwn: createHandler(downloadInvoice, downloadOwnInvoice),
    test: createHandler(testAccounting, testAccountingConnection),
  },
  jobs: {
    make_document: job(processDocumentJob),
    wake_documents: job(enqueueDueDocumentsJob, { cron: "* * * * *" }),
    backfill_documents: job(backfillDocumentsJob, { cron: "11 * * * *", catchUp: "1d" }),
    // 09:00 in Turkey.
    remind_deadlines: job(remindDeadlinesJob, { cron: "0 6 * * *", catchUp: "12h" }),
    sweep_invoices: job(sweepInvoicesJob, { cron: "57 * * * *", catchUp: "1d" }),
  },
  failedWork: { documents: failedDocuments },
  checks: { accounting: checkInvoicing },
  externalServices: { parasut: parasutService },
  storedFileColumns: [{ table: "accounting_documents", column: "pdf_key", folder: INVOICE_FOLDER }],
  sealedColumns: [
    { table: "accounting_access", column: "access_sealed", purpose: ACCESS_SEAL_PURPOSE },
    { table: "accounting_access", column: "refresh_sealed", purpose: ACCESS_SEAL_PURPOSE },
  ],
  exports: archiveReaders,
  attachments: listInvoiceAttachments,
  mails: ["invoice_ready", "invoice_needs_data", "accounting_paused", "invoices_due"],
  audit: [
    "invoice.resumed",
    "invoice.data_changed",
    "invoice.skipped",
    "invoice.unskipped",
    "accounting.tested",
  ],
});

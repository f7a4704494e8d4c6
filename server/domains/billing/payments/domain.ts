import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  activateSubscription,
  cancelLicence,
  downloadReceipt,
  payLicence,
  previewActivation,
  reversePayment,
  uploadReceipt,
} from "./contract";
import { archiveReaders } from "./export";
import { sweepReceiptsJob } from "./jobs";
import { activateSubscriptionByTransfer, previewActivationByTransfer } from "./service/activate";
import { cancelPendingLicence } from "./service/cancel-licence";
import { recordLicencePayment } from "./service/pay-licence";
import { attachReceipt, downloadReceiptFile, RECEIPT_FOLDER } from "./service/receipt";
import { BILL_TO_SEAL_PURPOSE } from "./service/record-payment";
import { reverseRecordedPayment } from "./service/reverse";

const OMITTED_ACTORS = { omittedBecause: "IDs of the administrators who acted" };

export const payments = domain({
  operations: {
    activate: createHandler(activateSubscription, activateSubscriptionByTransfer),
    preview: createHandler(previewActivation, previewActivationByTransfer),
    payLicence: createHandler(payLicence, recordLicencePayment),
    cancelLicence: createHandler(cancelLicence, cancelPendingLicence),
    reverse: createHandler(reversePayment, reverseRecordedPayment),
    uploadReceipt: createHandler(uploadReceipt, attachReceipt),
    downloadReceipt: createHandler(downloadReceipt, downloadReceiptFile),
  },
  jobs: {
    sweep_receipts: job(sweepReceiptsJob, { cron: "52 * * * *", catchUp: "1d" }),
  },
  relations: [
    { table: "payments", column: "user_id", topic: "billing", onDeletion: "keep", export: "payments" },
    {
      table: "referral_earnings",
      column: "reseller_id",
      topic: "billing",
      onDeletion: "keep",
      export: "referral_earnings",
    },
    { table: "payments", column: "recorded_by_id", rowsBelongTo: "others", export: OMITTED_ACTORS },
    { table: "payments", column: "reversed_by_id", rowsBelongTo: "others", export: OMITTED_ACTORS },
    {
      table: "accounting_documents",
      column: "skipped_by_id",
      rowsBelongTo: "others",
      export: OMITTED_ACTORS,
    },
  ],
  storedFileColumns: [{ table: "payments", column: "receipt_key", folder: RECEIPT_FOLDER }],
  sealedColumns: [{ table: "payments", column: "bill_to_sealed", purpose: BILL_TO_SEAL_PURPOSE }],
  exports: archiveReaders,
  mails: ["subscription_activated", "licence_paid", "payment_reversed"],
  audit: [
    "payment.recorded",
    "payment.reversed",
    "payment.receipt_added",
    "licence.paid",
    "licence.cancelled",
  ],
});

import { handle } from "@/server/core/contract";
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
import { exports } from "./export";
import { sweepReceiptsJob } from "./jobs";
import { activate, preview } from "./service/activate";
import { cancel } from "./service/cancel";
import { pay } from "./service/licence";
import { download, RECEIPT_FOLDER, upload } from "./service/receipt";
import { BILL_TO_SEAL_PURPOSE } from "./service/record";
import { reverse } from "./service/reverse";

const ACTORS = { omittedBecause: "IDs of the administrators who acted" };

export const payments = domain({
  operations: {
    activate: handle(activateSubscription, activate),
    preview: handle(previewActivation, preview),
    payLicence: handle(payLicence, pay),
    cancelLicence: handle(cancelLicence, cancel),
    reverse: handle(reversePayment, reverse),
    uploadReceipt: handle(uploadReceipt, upload),
    downloadReceipt: handle(downloadReceipt, download),
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
    { table: "payments", column: "recorded_by_id", of: "others", export: ACTORS },
    { table: "payments", column: "reversed_by_id", of: "others", export: ACTORS },
    { table: "accounting_documents", column: "skipped_by_id", of: "others", export: ACTORS },
  ],
  stored: [{ table: "payments", column: "receipt_key", folder: RECEIPT_FOLDER }],
  sealed: [{ table: "payments", column: "bill_to_sealed", purpose: BILL_TO_SEAL_PURPOSE }],
  exports,
  mails: ["subscription_activated", "licence_paid", "payment_reversed"],
  audit: [
    "payment.recorded",
    "payment.reversed",
    "payment.receipt_added",
    "licence.paid",
    "licence.cancelled",
  ],
});

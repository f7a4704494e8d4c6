import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { confirmDeletion, getDeletionCertificate, getDeletionForecast, requestDeletion } from "./contract";
import { deleteExpiredAccountsJob, notifyReleasedAccountsJob, tearDownJob } from "./jobs";
import { getCertificate } from "./service/certificate";
import { confirmOwnDeletion } from "./service/confirm";
import { failedTeardowns } from "./service/failed";
import { getOwnDeletionForecast } from "./service/forecast";
import { requestOwnDeletion } from "./service/request";

export const accountDeletion = domain({
  operations: {
    getForecast: createHandler(getDeletionForecast, getOwnDeletionForecast),
    request: createHandler(requestDeletion, requestOwnDeletion),
    confirm: createHandler(confirmDeletion, confirmOwnDeletion),
    getCertificate: createHandler(getDeletionCertificate, getCertificate),
  },
  jobs: {
    tear_down: job(tearDownJob),
    tell_released: job(notifyReleasedAccountsJob),
    expire_kept_accounts: job(deleteExpiredAccountsJob, { cron: "21 * * * *", catchUp: "1d" }),
  },
  failedWork: { teardowns: failedTeardowns },
  relations: [
    {
      table: "deletion_requests",
      column: "user_id",
      topic: "details",
      onDeletion: "delete",
      export: { omittedBecause: "the digest of a code that is valid for minutes" },
    },
  ],
  mails: ["deletion_code", "account_deleted"],
  notices: ["account_released"],
  audit: ["account.deletion_requested", "account.deleted", "account.anonymised"],
});

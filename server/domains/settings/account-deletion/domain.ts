import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { confirmDeletion, getDeletionCertificate, getDeletionForecast, requestDeletion } from "./contract";
import { deleteExpiredAccountsJob, notifyReleasedJob, tearDownJob } from "./jobs";
import { get } from "./service/certificate";
import { confirm } from "./service/confirm";
import { failedTeardowns } from "./service/failed";
import { forecast } from "./service/forecast";
import { request } from "./service/request";

export const accountDeletion = domain({
  operations: {
    getForecast: handle(getDeletionForecast, forecast),
    request: handle(requestDeletion, request),
    confirm: handle(confirmDeletion, confirm),
    getCertificate: handle(getDeletionCertificate, get),
  },
  jobs: {
    tear_down: job(tearDownJob),
    tell_released: job(notifyReleasedJob),
    expire_kept_accounts: job(deleteExpiredAccountsJob, { cron: "21 * * * *", catchUp: "1d" }),
  },
  failed: { teardowns: failedTeardowns },
  relations: [
    {
      table: "deletion_requests",
      column: "user_id",
      topic: "profile",
      onDeletion: "delete",
      export: { omittedBecause: "the digest of a code that is valid for minutes" },
    },
  ],
  mails: ["deletion_code", "account_deleted"],
  notices: ["account_released"],
  audit: ["account.deletion_requested", "account.deleted", "account.anonymised"],
});

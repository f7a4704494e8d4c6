import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { changeConsents, getConsents } from "./contract";
import { archiveReaders } from "./export";
import { recordConsentHeadJob } from "./jobs";
import { changeOwnConsents, getOwnConsents } from "./service/settings";

export const consents = domain({
  operations: {
    get: createHandler(getConsents, getOwnConsents),
    change: createHandler(changeConsents, changeOwnConsents),
  },
  jobs: { note_consent_head: job(recordConsentHeadJob, { cron: "13 * * * *", catchUp: "1d" }) },
  relations: [
    {
      table: "consent_records",
      column: "user_id",
      topic: "consents",
      onDeletion: "keep",
      export: "consents",
    },
  ],
  exports: archiveReaders,
  audit: ["consents.changed", "consents.erased", "consents.sealed"],
  evidence: ["consents.erased", "consents.sealed"],
});

import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { changeConsents, getConsents } from "./contract";
import { exports } from "./export";
import { recordHeadJob } from "./jobs";
import { readConsents, saveConsents } from "./service/settings";

export const consents = domain({
  operations: {
    get: handle(getConsents, readConsents),
    change: handle(changeConsents, saveConsents),
  },
  jobs: { note_consent_head: job(recordHeadJob, { cron: "13 * * * *", catchUp: "1d" }) },
  relations: [
    {
      table: "consent_records",
      column: "user_id",
      topic: "consents",
      onDeletion: "keep",
      export: "consents",
    },
  ],
  exports,
  audit: ["consents.changed", "consents.erased", "consents.sealed"],
  evidence: ["consents.erased", "consents.sealed"],
});

import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { getAgreement, signAgreement } from "./contract";
import { exports } from "./export";
import { remindAgreementJob } from "./jobs";
import { get, sign } from "./service/agreement";

export const agreement = domain({
  operations: {
    get: handle(getAgreement, get),
    sign: handle(signAgreement, sign),
  },
  jobs: { remind_agreement: job(remindAgreementJob, { cron: "0 7 * * *", fill: "1d" }) },
  relations: [
    {
      table: "agreement_signatures",
      column: "reseller_id",
      topic: "billing",
      onDeletion: "keep",
      export: "agreement_signatures",
    },
  ],
  exports,
  notices: ["agreement_changed"],
  audit: ["agreement.signed", "agreement.published", "agreement.erased"],
  evidence: ["agreement.erased"],
});

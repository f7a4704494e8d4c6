import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  getAgreement,
  getLegalText,
  listLegalTexts,
  previewLegalText,
  publishLegalText,
  readLegalText,
  signAgreement,
} from "./contract";
import { exports } from "./export";
import { remindAgreementJob } from "./jobs";
import * as agreement from "./service/agreement";
import { read } from "./service/public";
import { publish } from "./service/publish";
import { get, list, preview } from "./service/read";

export const legalTexts = domain({
  operations: {
    list: handle(listLegalTexts, list),
    get: handle(getLegalText, get),
    read: handle(readLegalText, read),
    preview: handle(previewLegalText, preview),
    publish: handle(publishLegalText, publish),
    getAgreement: handle(getAgreement, agreement.get),
    signAgreement: handle(signAgreement, agreement.sign),
  },
  audit: ["legal_text.published", "agreement.signed", "agreement.published", "agreement.erased"],
  jobs: { remind_agreement: job(remindAgreementJob, { cron: "0 7 * * *", catchUp: "1d" }) },
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
  evidence: ["agreement.erased"],
});

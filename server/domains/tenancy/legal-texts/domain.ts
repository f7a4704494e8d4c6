import { createHandler } from "@/server/core/contract";
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
import { archiveReaders } from "./export";
import { remindAgreementJob } from "./jobs";
import * as agreement from "./service/agreement";
import { getCurrentText, listCurrentTexts, previewNewText } from "./service/current-text";
import { readPublicText } from "./service/public-text";
import { publishNewVersion } from "./service/publish";

export const legalTexts = domain({
  operations: {
    list: createHandler(listLegalTexts, listCurrentTexts),
    get: createHandler(getLegalText, getCurrentText),
    read: createHandler(readLegalText, readPublicText),
    preview: createHandler(previewLegalText, previewNewText),
    publish: createHandler(publishLegalText, publishNewVersion),
    getAgreement: createHandler(getAgreement, agreement.readOwnAgreement),
    signAgreement: createHandler(signAgreement, agreement.signNewestAgreement),
  },
  audit: ["legal_text.published", "agreement.signed", "agreement.published", "agreement.erased"],
  jobs: { remind_agreement: job(remindAgreementJob, { cron: "0 7 * * *", catchUp: "1d" }) },
  relations: [
    {
      table: "agreement_signatures",
      column: "reseller_id",
      topic: "billing",
      // `eraseSignatures` deletes them later, because the hash chain needs stubs.
      onDeletion: "keep",
      export: "agreement_signatures",
    },
  ],
  exports: archiveReaders,
  notices: ["agreement_changed"],
  evidence: ["agreement.erased"],
});

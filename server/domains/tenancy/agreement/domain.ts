import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getAgreement, signAgreement } from "./contract";
import { exports } from "./export";
import { get, sign } from "./service/agreement";

export const agreement = domain({
  operations: {
    get: handle(getAgreement, get),
    sign: handle(signAgreement, sign),
  },
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
  audit: ["agreement.signed", "agreement.published", "agreement.erased"],
});

import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { changeConsents, getConsents } from "./contract";
import { consentErrors } from "./errors";
import { exports } from "./export";
import { change, get } from "./service/settings";

export const consents = domain({
  operations: {
    get: handle(getConsents, get),
    change: handle(changeConsents, change),
  },
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
  audit: ["consents.changed", "consents.erased"],
  errors: consentErrors,
});

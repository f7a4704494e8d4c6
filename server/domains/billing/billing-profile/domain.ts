import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getBillingProfile, putBillingProfile } from "./contract";
import { archiveReaders } from "./export";
import { getOwnBillingProfile, saveOwnBillingProfile, TAX_SEAL_PURPOSE } from "./service";

export const billingProfile = domain({
  operations: {
    get: createHandler(getBillingProfile, getOwnBillingProfile),
    put: createHandler(putBillingProfile, saveOwnBillingProfile),
  },
  relations: [
    {
      table: "billing_profiles",
      column: "user_id",
      topic: "details",
      onDeletion: "delete",
      export: "billing_profile",
    },
  ],
  sealedColumns: [
    { table: "billing_profiles", keyColumn: "user_id", column: "tax_sealed", purpose: TAX_SEAL_PURPOSE },
  ],
  exports: archiveReaders,
  audit: ["billing_profile.changed"],
});

import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { listOpenEarnings, recordPayout } from "./contract";
import { archiveReaders } from "./export";
import { listOpenEarningsByReseller } from "./service/list";
import { recordResellerPayout } from "./service/record";

export const payouts = domain({
  operations: {
    list: createHandler(listOpenEarnings, listOpenEarningsByReseller),
    record: createHandler(recordPayout, recordResellerPayout),
  },
  relations: [
    {
      table: "referral_payouts",
      column: "reseller_id",
      topic: "billing",
      onDeletion: "keep",
      export: "referral_payouts",
    },
    {
      table: "referral_payouts",
      column: "recorded_by_id",
      rowsBelongTo: "others",
      export: { omittedBecause: "IDs of the administrators who acted" },
    },
  ],
  exports: archiveReaders,
  notices: ["payout_recorded"],
  audit: ["payout.recorded"],
});

import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { adjustCredits, downloadCredits, listCredits, listUserCredits } from "./contract";
import { archiveReaders } from "./export";
import { adjustAccountCredits } from "./service/adjust";
import { downloadOwnCredits, listCreditsOfAccount, listOwnCredits } from "./service/list";

export const credits = domain({
  operations: {
    list: handle(listCredits, listOwnCredits),
    listOf: handle(listUserCredits, listCreditsOfAccount),
    download: handle(downloadCredits, downloadOwnCredits),
    adjust: handle(adjustCredits, adjustAccountCredits),
  },
  relations: [
    { table: "credit_entries", column: "user_id", topic: "billing", onDeletion: "keep", export: "credits" },
    {
      table: "credit_entries",
      column: "actor_id",
      of: "others",
      export: { omittedBecause: "entries of other people's credits" },
    },
    { table: "usage_months", column: "user_id", topic: "usage", onDeletion: "delete", export: "usage" },
  ],
  exports: archiveReaders,
  notices: ["credits_adjusted"],
  audit: ["credits.adjusted"],
});

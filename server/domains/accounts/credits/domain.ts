import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { adjustCredits, downloadCredits, listCredits, listUserCredits } from "./contract";
import { exports } from "./export";
import { adjust } from "./service/adjust";
import { download, list, listForAccount } from "./service/list";

export const credits = domain({
  operations: {
    list: handle(listCredits, list),
    listOf: handle(listUserCredits, listForAccount),
    download: handle(downloadCredits, download),
    adjust: handle(adjustCredits, adjust),
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
  exports,
  notices: ["credits_adjusted"],
  audit: ["credits.adjusted"],
});

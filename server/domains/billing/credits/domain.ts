import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { adjustCredits, downloadCredits, listCredits, listUserCredits } from "./contract";
import { creditErrors } from "./errors";
import { adjust } from "./service/adjust";
import { download, list, listOf } from "./service/list";

/** What people see of their credits, and what administrators change; the ledger itself is `accounts/credits`. */
export const creditHistory = domain({
  operations: {
    list: handle(listCredits, list),
    listOf: handle(listUserCredits, listOf),
    download: handle(downloadCredits, download),
    adjust: handle(adjustCredits, adjust),
  },
  notices: ["credits_adjusted"],
  audit: ["credits.adjusted"],
  errors: creditErrors,
});

import { systemContext } from "@/server/core/context";
import { log } from "@/server/core/log";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { forEachAccount } from "@/server/domains/accounts/users/service/each";
import { remindOfLicences } from "@/server/domains/sites/slots/service/notices";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { advance, remindOfSubscriptions } from "./service/advance";
import { findDifferences, findDue } from "./statements";

/** Ends what is over: orders that nobody paid, periods, and their seven days of grace. */
export async function advanceSubscriptionsJob(): Promise<void> {
  const due = new Map((await findDue(outside())).map((account) => [account.userId, account]));
  await forEachAccount([...due.keys()], (tx, userId) => advance(tx, due.get(userId)!));
}

/** Reminds of subscriptions that end and of licences that are to be paid. */
export async function remindBillingJob(): Promise<void> {
  await remindOfSubscriptions();
  await remindOfLicences();
}

/**
 * Compares what is counted as one goes with what there is: balances with their entries, taken slots with the sites.
 * Nothing is repaired: a difference has a cause that somebody must find. The health page shows the last result.
 */
export async function checkLedgerJob(): Promise<void> {
  const differences = await findDifferences(outside());
  for (const { table, id, counted, found } of differences)
    log.error({ event: "ledger.difference", table, id, counted, found });
  await inTransaction((tx) =>
    audit(systemContext(tx), { action: "ledger.checked", details: { differences: differences.length } }),
  );
}

import { createSystemContext } from "@/server/core/context";
import { log } from "@/server/core/log";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { forEachAccount } from "@/server/domains/accounts/users/service/for-each-account";
import { sendLicenceReminders } from "@/server/domains/sites/slots/service/notices";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { advanceAccountSubscriptions, remindOfEndingSubscriptions } from "./service/advance";
import { findDueAccounts, findLedgerDifferences } from "./statements";

export async function advanceSubscriptionsJob(): Promise<void> {
  const dueAccounts = new Map(
    (await findDueAccounts(withoutTransaction())).map((account) => [account.userId, account]),
  );
  await forEachAccount([...dueAccounts.keys()], (tx, userId) =>
    advanceAccountSubscriptions(tx, dueAccounts.get(userId)!),
  );
}

export async function remindBillingJob(): Promise<void> {
  await remindOfEndingSubscriptions();
  await sendLicenceReminders();
}

/** Compares credit balances and used slots with their rows. Repairs nothing: someone must find the cause. */
export async function checkLedgerJob(): Promise<void> {
  const differences = await findLedgerDifferences(withoutTransaction());
  for (const { table, id, storedValue, actualValue } of differences)
    log.error({ event: "ledger.difference", table, id, counted: storedValue, found: actualValue });
  await inTransaction((tx) =>
    audit(createSystemContext(tx), {
      action: "ledger.checked",
      details: { differences: differences.length },
    }),
  );
}

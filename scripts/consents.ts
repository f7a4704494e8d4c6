import { OperatorError } from "@/server/core/operator-error";
import { sealOldRows, verifyLedger } from "@/server/domains/accounts/consents/service/ledger";
import { lockLedger } from "@/server/domains/accounts/consents/statements";
import { verifySignatures } from "@/server/domains/tenancy/agreement/service/chain";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { checkSecret } from "@/server/infrastructure/secrets/known";
import { perform } from "./lib/command";
import { isHash, readArguments, refuse } from "./lib/usage.mjs";
import { withInstallation } from "./lib/with-embedded";

/*
 * npm run consents:check              walks the ledgers of consents and of signed agreements; exits 1 and names the first
 *                                     broken row
 * npm run consents:check -- <head>    also expects to find this hash, noted from an earlier run
 */
const [noted] = readArguments(import.meta.url).positionals;
if (noted !== undefined && !isHash(noted))
  refuse(import.meta.url, `${noted} is no hash of a head; one has 64 digits from 0 to f.`);

const REASONS = {
  altered: "its content is not what was recorded",
  removed_before: "the row before it was removed or moved",
  unchained: "it has no hash",
  cut_off: "rows at the end of the ledger, up to this one, were removed",
  head_removed: "the head that was kept after it is gone",
  head_forged: "the head that is kept after it was not written by this application",
};

const say = (text: string) => process.stdout.write(`${text}\n`);

async function check(url: string): Promise<void> {
  connectTo(url);
  try {
    await checkSecret();
    await inTransaction(async (tx) => {
      await lockLedger(tx);
      const sealed = await sealOldRows(tx);
      if (sealed > 0) say(`Sealed ${sealed} rows from before there was a head.`);
      const { checked, lastId, head, heads, broken } = await verifyLedger(tx);
      if (broken) throw new OperatorError(`Row ${broken.id} breaks the ledger: ${REASONS[broken.reason]}.`);
      if (noted && !heads.has(noted))
        throw new OperatorError(`The ledger ends before ${noted}: rows at its end were removed.`);
      say(
        `${checked} rows are as they were recorded; the head is ${head ? `row ${lastId}, ${head}` : "empty"}.`,
      );
      const signatures = await verifySignatures(tx);
      if (signatures.broken)
        throw new OperatorError(
          `Signature ${signatures.broken.id} breaks the chain of agreements: ${REASONS[signatures.broken.reason]}.`,
        );
      say(`${signatures.checked} signatures of agreements are as they were given.`);
    });
  } finally {
    await closeDatabase();
  }
}

await perform(() => withInstallation(check));

import { env } from "@/server/core/env";
import { sealOldRows, verifyLedger } from "@/server/domains/accounts/consents/service/ledger";
import { lockLedger } from "@/server/domains/accounts/consents/statements";
import { verifySignatures } from "@/server/domains/tenancy/agreement/service/chain";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { checkSecret } from "@/server/infrastructure/secrets/known";
import { withEmbedded } from "./lib/with-embedded";

/*
 * npm run consents:check                   walks the ledgers of consents and of signed agreements; exits 1 and names the
 *                                          first broken row
 * npm run consents:check -- <head>         also expects to find this hash, noted from an earlier run
 */

const REASONS = {
  altered: "its content is not what was recorded",
  removed_before: "the row before it was removed or moved",
  unchained: "it has no hash",
  cut_off: "rows at the end of the ledger, up to this one, were removed",
  head_removed: "the head that was kept after it is gone",
  head_forged: "the head that is kept after it was not written by this application",
};

const say = (text: string) => process.stdout.write(`${text}\n`);

async function check(url: string, noted: string | undefined): Promise<void> {
  connectTo(url);
  try {
    await checkSecret();
    await inTransaction(async (tx) => {
      await lockLedger(tx);
      const sealed = await sealOldRows(tx);
      if (sealed > 0) say(`Sealed ${sealed} rows from before there was a head.`);
      const { checked, lastId, head, heads, broken } = await verifyLedger(tx);
      if (broken) throw new Error(`Row ${broken.id} breaks the ledger: ${REASONS[broken.reason]}.`);
      if (noted && !heads.has(noted))
        throw new Error(`The ledger ends before ${noted}: rows at its end were removed.`);
      say(
        `${checked} rows are as they were recorded; the head is ${head ? `row ${lastId}, ${head}` : "empty"}.`,
      );
      const signatures = await verifySignatures(tx);
      if (signatures.broken)
        throw new Error(
          `Signature ${signatures.broken.id} breaks the chain of agreements: ${REASONS[signatures.broken.reason]}.`,
        );
      say(`${signatures.checked} signatures of agreements are as they were given.`);
    });
  } finally {
    await closeDatabase();
  }
}

try {
  const noted = process.argv[2];
  const { DATABASE_URL } = env();
  if (DATABASE_URL) await check(DATABASE_URL, noted);
  else await withEmbedded(({ url }) => check(url, noted));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

import { OperatorError } from "@/server/core/operator-error";
import type { AuditBreakReason } from "@/server/domains/accounts/audit/contract";
import { verifyAudit } from "@/server/domains/accounts/audit/service/check";
import { sealEntries } from "@/server/domains/accounts/audit/service/seal";
import { sealLegacyRows, verifyConsentLedger } from "@/server/domains/accounts/consents/service/ledger";
import { lockLedger } from "@/server/domains/accounts/consents/statements";
import { verifySignatures } from "@/server/domains/tenancy/legal-texts/service/signature-chain";
import type { ChainBreak } from "@/server/infrastructure/chain";
import { closeDatabase, openDatabase } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { checkAppSecret } from "@/server/infrastructure/secrets/fingerprint";
import { runCommand } from "./lib/command";
import { withInstallation } from "./lib/installation";
import { isHash, readArguments, refuse } from "./lib/usage.mjs";

/*
 * npm run chains:check                                      verifies the audit log, consents and agreements; exits 1 and
 *                                                           names the first break
 * npm run chains:check -- [audit] [consents] [agreements]   verifies only these
 * npm run chains:check -- <chain> <hash>                    also expects this hash of an earlier run in the chain
 * npm run audit:check -- [<hash>]                           verifies audit, after sealing entries older than a minute
 * npm run consents:check -- [<hash>]                        verifies consents and agreements
 */

/** `#` is replaced by the ID of the entry or seal. */
const AUDIT_REASONS: Record<AuditBreakReason, string> = {
  entry_altered: "Entry # is not what was recorded.",
  entry_removed: "An entry before or at # was removed from under its seal.",
  entry_added: "Entry # was put under a seal, or one before it.",
  seal_altered: "Seal # is not what was written.",
  seal_removed: "The seal before seal # was removed or moved.",
  cut_off: "The log was cut off at its end: it had seals up to #.",
  head_removed: "The head that was kept after seal # is gone.",
  head_forged: "The head that is kept after seal # was not written by this application.",
  stub_forged: "The stub in the place of the seals up to # was not written by this application.",
};

const ROW_REASONS: Record<ChainBreak["reason"], string> = {
  altered: "its content is not what was recorded",
  removed_before: "the row before it was removed or moved",
  unchained: "it has no hash",
  cut_off: "rows at the end of the ledger, up to this one, were removed",
  head_removed: "the head that was kept after it is gone",
  head_forged: "the head that is kept after it was not written by this application",
};

const printLine = (text: string) => process.stdout.write(`${text}\n`);

async function checkAudit(expectedHash?: string): Promise<void> {
  const sealedCount = await sealEntries({ maxEntries: Number.MAX_SAFE_INTEGER });
  if (sealedCount > 0) printLine(`Sealed ${sealedCount} entries.`);
  const { entryCount, erasedCount, sealCount, lastHash, validHashes, broken } = await verifyAudit(
    withoutTransaction(),
  );
  if (broken) throw new OperatorError(AUDIT_REASONS[broken.reason].replace("#", String(broken.id)));
  if (expectedHash && !validHashes.has(expectedHash))
    throw new OperatorError(`There is no seal ${expectedHash}: the log was cut off or replaced.`);
  printLine(`${entryCount} entries under ${sealCount} seals are as they were recorded.`);
  if (erasedCount > 0)
    printLine(`${erasedCount} of them belong to deleted accounts: content erased, row untouched.`);
  printLine(`The last seal is ${lastHash ?? "none"}.`);
}

async function checkConsents(expectedHash?: string): Promise<void> {
  await inTransaction(async (tx) => {
    await lockLedger(tx);
    const sealedCount = await sealLegacyRows(tx);
    if (sealedCount > 0) printLine(`Sealed ${sealedCount} rows from before there was a head.`);
    const { checked, lastId, lastHash, validHashes, broken } = await verifyConsentLedger(tx);
    if (broken) throw new OperatorError(`Row ${broken.id} breaks the ledger: ${ROW_REASONS[broken.reason]}.`);
    if (expectedHash && !validHashes.has(expectedHash))
      throw new OperatorError(`The ledger ends before ${expectedHash}: rows at its end were removed.`);
    printLine(
      `${checked} rows are as they were recorded; the head is ${lastHash ? `row ${lastId}, ${lastHash}` : "empty"}.`,
    );
  });
}

async function checkAgreements(expectedHash?: string): Promise<void> {
  const { checked, validHashes, broken } = await inTransaction(verifySignatures);
  if (broken)
    throw new OperatorError(
      `Signature ${broken.id} breaks the chain of agreements: ${ROW_REASONS[broken.reason]}.`,
    );
  if (expectedHash && !validHashes.has(expectedHash))
    throw new OperatorError(
      `The chain of agreements ends before ${expectedHash}: signatures at its end were removed.`,
    );
  printLine(`${checked} signatures of agreements are as they were given.`);
}

const CHAINS = {
  audit: { check: checkAudit, hashOf: "a seal" },
  consents: { check: checkConsents, hashOf: "a head" },
  agreements: { check: checkAgreements, hashOf: "a signature" },
};
type ChainName = keyof typeof CHAINS;
const isChainName = (word: string): word is ChainName => Object.hasOwn(CHAINS, word);

const { positionals } = readArguments(import.meta.url);
const chainNames = positionals.filter(isChainName);
const [hashArgument, extraArgument] = positionals.filter((word) => !isChainName(word));
if (extraArgument !== undefined) refuse(import.meta.url, `Unexpected argument '${extraArgument}'.`);
if (hashArgument !== undefined && !chainNames[0])
  refuse(import.meta.url, `${hashArgument} is no chain; there are ${Object.keys(CHAINS).join(", ")}.`);
if (hashArgument !== undefined && !isHash(hashArgument))
  refuse(
    import.meta.url,
    `${hashArgument} is no hash of ${CHAINS[chainNames[0]!].hashOf}; one has 64 digits from 0 to f.`,
  );

await runCommand(() =>
  withInstallation(async (url) => {
    openDatabase(url);
    try {
      await checkAppSecret();
      const chosenChains = chainNames.length > 0 ? chainNames : (Object.keys(CHAINS) as ChainName[]);
      // The hash belongs to the first chain.
      for (const [index, name] of chosenChains.entries())
        await CHAINS[name].check(index === 0 ? hashArgument : undefined);
    } finally {
      await closeDatabase();
    }
  }),
);

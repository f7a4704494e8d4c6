import { OperatorError } from "@/server/core/operator-error";
import { type AuditBreak, verifyAudit } from "@/server/domains/accounts/audit/service/check";
import { sealEntries } from "@/server/domains/accounts/audit/service/seal";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { outside } from "@/server/infrastructure/database/transaction";
import { checkSecret } from "@/server/infrastructure/secrets/known";
import { perform } from "./lib/command";
import { isHash, readArguments, refuse } from "./lib/usage.mjs";
import { withInstallation } from "./lib/with-embedded";

/*
 * npm run audit:check              seals what is a minute old and walks the audit log; exits 1 and names what is broken
 * npm run audit:check -- <hash>    also expects a seal with this hash, noted from an earlier run or from the log
 */
const [noted] = readArguments(import.meta.url).positionals;
if (noted !== undefined && !isHash(noted))
  refuse(import.meta.url, `${noted} is no hash of a seal; one has 64 digits from 0 to f.`);

const REASONS: Record<AuditBreak, string> = {
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

const say = (text: string) => process.stdout.write(`${text}\n`);

async function check(url: string): Promise<void> {
  connectTo(url);
  try {
    await checkSecret();
    const work = outside();
    const waiting = await sealEntries({ most: Number.MAX_SAFE_INTEGER });
    if (waiting > 0) say(`Sealed ${waiting} entries.`);
    const { entries, erased, seals, head, has, broken } = await verifyAudit(work);
    if (broken) throw new OperatorError(REASONS[broken.reason].replace("#", String(broken.id)));
    if (noted && !has(noted))
      throw new OperatorError(`There is no seal ${noted}: the log was cut off or replaced.`);
    say(`${entries} entries under ${seals} seals are as they were recorded.`);
    if (erased > 0) say(`${erased} of them belong to deleted accounts: content erased, row untouched.`);
    say(`The last seal is ${head ?? "none"}.`);
  } finally {
    await closeDatabase();
  }
}

await perform(() => withInstallation(check));

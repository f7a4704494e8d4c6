import { createHash } from "node:crypto";
import { declared } from "@/server/core/domain";
import { inTransaction, type Work } from "@/server/infrastructure/database/transaction";
import { sameBytes } from "@/server/infrastructure/secrets/tokens";
import { deleteUnder, findStub, listSeals, listUnder, lockSeals, type Seal } from "../statements";
import { isOurSeal, isOurStub, keptDigest, type Stub, stateOf, stubMacOf } from "./hash";

/*
 * What is old enough goes seal by seal, oldest first. A stub takes its place, under a key outside the database, so that
 * the walk begins where it ends. Entries that something is proven by stay, and the stub counts them.
 */

/** Seals that end in one transaction at most, of up to a thousand entries each. */
const BATCH = 5;

/** The log is not what was recorded, so none of it is deleted: that would hide it. */
class BrokenLog extends Error {
  override name = "BrokenLog";
}

/** Deletes entries that were sealed before a moment. Returns how many seals ended with them. */
export async function forgetEntries({ before }: { before: Date }): Promise<number> {
  for (let ended = 0; ; ) {
    const count = await inTransaction((tx) => forgetNext(tx, before));
    ended += count;
    if (count < BATCH) return ended;
  }
}

async function forgetNext(tx: Work, before: Date): Promise<number> {
  await lockSeals(tx);
  const [stub] = await findStub(tx);
  if (stub && !isOurStub(stub)) throw new BrokenLog("the stub was forged");
  // The last seal stays, old as it may be: the next one follows it.
  const found = await listSeals(tx, { after: stub?.sealId ?? 0, limit: BATCH + 1 });
  const due = found.slice(0, BATCH).filter((seal, index) => seal.at < before && index < found.length - 1);
  if (due.length === 0) return 0;
  const but = declared().flatMap(({ evidence = [] }) => evidence);
  let left: Stub = stub ?? { sealId: 0, hash: Buffer.alloc(0), kept: 0, digest: Buffer.alloc(0) };
  for (const seal of due) left = await followed(tx, left, { seal, but });
  const row = { ...bytesOf(left), mac: stubMacOf(left) };
  await tx.db.auditStub.upsert({ where: { id: 1 }, create: row, update: row, select: { id: true } });
  for (const seal of due) await deleteUnder(tx, { ...seal, but });
  await tx.db.auditSeal.deleteMany({ where: { id: { in: due.map(({ id }) => id) } } });
  return due.length;
}

/** What the stub becomes with one more seal, which must be as it was written, with its entries. */
async function followed(tx: Work, left: Stub, { seal, but }: { seal: Seal; but: string[] }): Promise<Stub> {
  const { id, prevHash, hash, rows } = seal;
  const follows = left.sealId === 0 ? prevHash === null : prevHash && sameBytes(prevHash, left.hash);
  if (!isOurSeal(seal) || id !== left.sealId + 1 || !follows) throw new BrokenLog(`at seal ${id}`);
  const entries = await listUnder(tx, seal);
  const digest = createHash("sha256");
  let { kept, digest: chain } = left;
  for (const entry of entries) {
    if (stateOf(entry) === "altered") throw new BrokenLog(`at entry ${entry.id}`);
    digest.update(entry.rowHash!);
    if (!but.includes(entry.action)) continue;
    kept++;
    chain = keptDigest(chain, entry.rowHash!);
  }
  if (entries.length !== rows || !sameBytes(digest.digest(), seal.digest))
    throw new BrokenLog(`under seal ${id}`);
  return { sealId: id, hash, kept, digest: chain };
}

const bytesOf = ({ sealId, hash, kept, digest }: Stub) => ({
  ...{ sealId, kept },
  hash: Buffer.from(hash),
  digest: Buffer.from(digest),
});

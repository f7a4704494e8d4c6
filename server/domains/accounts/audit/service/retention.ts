import { createHash } from "node:crypto";
import { registeredDomains } from "@/server/core/domain";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";
import { deleteSealEntries, findStub, listSealEntries, listSeals, lockSeals, type Seal } from "../statements";
import { findSealBreak } from "./check";
import { keptDigest, type RetentionStub, retentionStub, sealChain, stateOf } from "./hash";

/* Retention replaces old seals and entries by a signed stub, which counts entries kept as evidence. */

const BATCH = 5;

/** Deleting altered entries would hide that they were altered. */
class BrokenLog extends Error {
  override name = "BrokenLog";
}

/** Deletes entries sealed before a time. Returns the number of deleted seals. */
export async function deleteExpiredEntries({ before }: { before: Date }): Promise<number> {
  for (let deleted = 0; ; ) {
    const count = await inTransaction((tx) => deleteNextBatch(tx, before));
    deleted += count;
    if (count < BATCH) return deleted;
  }
}

async function deleteNextBatch(tx: DbAccess, before: Date): Promise<number> {
  await lockSeals(tx);
  const [start] = await findStub(tx);
  if (start && !retentionStub.matches(start, start.mac)) throw new BrokenLog("the stub was forged");
  // Keep the last seal: the next one links to it.
  const oldest = await listSeals(tx, { after: start?.id ?? 0, limit: BATCH + 1 });
  const due = oldest.slice(0, BATCH).filter(({ at }, index) => at < before && index < oldest.length - 1);
  if (due.length === 0) return 0;
  const { broken } = await sealChain.walk({ read: async () => due, start });
  if (broken) throw new BrokenLog(`at seal ${broken.id}`);
  const but = registeredDomains().flatMap(({ evidence = [] }) => evidence);
  let stub: RetentionStub = start ?? { id: 0, hash: Buffer.alloc(0), kept: 0, digest: Buffer.alloc(0) };
  for (const seal of due) stub = await extendStub(tx, stub, { seal, but });
  const row = {
    sealId: stub.id,
    hash: Buffer.from(stub.hash),
    kept: stub.kept,
    digest: Buffer.from(stub.digest),
    mac: retentionStub.of(stub),
  };
  await tx.db.auditStub.upsert({ where: { id: 1 }, create: row, update: row, select: { id: true } });
  for (const seal of due) await deleteSealEntries(tx, { ...seal, keptActions: but });
  await tx.db.auditSeal.deleteMany({ where: { id: { in: due.map(({ id }) => id) } } });
  return due.length;
}

/** Extends the stub by a seal. Throws if the seal or one of its entries was altered. */
async function extendStub(tx: DbAccess, stub: RetentionStub, { seal, but }: { seal: Seal; but: string[] }) {
  const entries = await listSealEntries(tx, seal);
  const digest = createHash("sha256");
  let { kept, digest: chain } = stub;
  for (const entry of entries) {
    if (stateOf(entry) === "altered") throw new BrokenLog(`at entry ${entry.id}`);
    digest.update(entry.rowHash!);
    if (!but.includes(entry.action)) continue;
    kept++;
    chain = keptDigest(chain, entry.rowHash!);
  }
  if (findSealBreak({ seal, count: entries.length, digest })) throw new BrokenLog(`under seal ${seal.id}`);
  return { id: seal.id, hash: seal.hash, kept, digest: chain };
}

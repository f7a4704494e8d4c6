import { createHash } from "node:crypto";
import { getRegisteredDomains } from "@/server/core/domain";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";
import {
  deleteEntriesOfSeal,
  findStub,
  listEntriesOfSeal,
  listSeals,
  lockSeals,
  type Seal,
} from "../statements";
import { findSealBreak } from "./check";
import { extendEvidenceDigest, getEntryState, type RetentionStub, sealChain, stubMac } from "./hash";

/* Retention replaces old seals and entries with a signed stub, which counts entries kept as evidence. */

const SEALS_PER_BATCH = 5;

class BrokenLog extends Error {
  override name = "BrokenLog";
}

/** Deletes entries sealed before a time. Returns the number of deleted seals. */
export async function deleteExpiredEntries({ before }: { before: Date }): Promise<number> {
  for (let deletedSealCount = 0; ; ) {
    const count = await inTransaction((tx) => deleteNextBatch(tx, before));
    deletedSealCount += count;
    if (count < SEALS_PER_BATCH) return deletedSealCount;
  }
}

async function deleteNextBatch(tx: DbAccess, before: Date): Promise<number> {
  await lockSeals(tx);
  const [previousStub] = await findStub(tx);
  if (previousStub && !stubMac.matches(previousStub, previousStub.mac))
    throw new BrokenLog("the stub was forged");
  // Keep the last seal: the next one links to it.
  const oldestSeals = await listSeals(tx, { afterSealId: previousStub?.id ?? 0, limit: SEALS_PER_BATCH + 1 });
  const expiredSeals = oldestSeals
    .slice(0, SEALS_PER_BATCH)
    .filter(({ at }, index) => at < before && index < oldestSeals.length - 1);
  if (expiredSeals.length === 0) return 0;
  const { broken } = await sealChain.verifyRows({ read: async () => expiredSeals, start: previousStub });
  if (broken) throw new BrokenLog(`at seal ${broken.id}`);
  const evidenceActions = getRegisteredDomains().flatMap(({ evidence = [] }) => evidence);
  let stub: RetentionStub = previousStub ?? {
    id: 0,
    hash: Buffer.alloc(0),
    kept: 0,
    digest: Buffer.alloc(0),
  };
  for (const seal of expiredSeals) stub = await extendStub(tx, stub, { seal, evidenceActions });
  const stubRow = {
    sealId: stub.id,
    hash: Buffer.from(stub.hash),
    kept: stub.kept,
    digest: Buffer.from(stub.digest),
    mac: stubMac.compute(stub),
  };
  await tx.db.auditStub.upsert({ where: { id: 1 }, create: stubRow, update: stubRow, select: { id: true } });
  for (const seal of expiredSeals) await deleteEntriesOfSeal(tx, { ...seal, keptActions: evidenceActions });
  await tx.db.auditSeal.deleteMany({ where: { id: { in: expiredSeals.map(({ id }) => id) } } });
  return expiredSeals.length;
}

async function extendStub(
  tx: DbAccess,
  stub: RetentionStub,
  { seal, evidenceActions }: { seal: Seal; evidenceActions: string[] },
) {
  const entries = await listEntriesOfSeal(tx, seal);
  const sealDigest = createHash("sha256");
  let { kept: evidenceCount, digest: evidenceDigest } = stub;
  for (const entry of entries) {
    if (getEntryState(entry) === "altered") throw new BrokenLog(`at entry ${entry.id}`);
    sealDigest.update(entry.rowHash!);
    if (!evidenceActions.includes(entry.action)) continue;
    evidenceCount++;
    evidenceDigest = extendEvidenceDigest(evidenceDigest, entry.rowHash!);
  }
  if (findSealBreak({ seal, count: entries.length, digest: sealDigest }))
    throw new BrokenLog(`under seal ${seal.id}`);
  return { id: seal.id, hash: seal.hash, kept: evidenceCount, digest: evidenceDigest };
}

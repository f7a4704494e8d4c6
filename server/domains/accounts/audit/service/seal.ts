import { createHash } from "node:crypto";
import { log } from "@/server/core/log";
import { toHex } from "@/server/infrastructure/chain";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";
import { listUnsealedEntries, lockSeals, markSealed } from "../statements";
import { computeEntryHashes, sealChain } from "./hash";

/* A job seals entries a minute old, without locking writers. Each hash covers entries and previous seal. */

const BATCH_SIZE = 1000;

/** Minimum age: most transactions have ended by then. Entries that are committed later get the next seal. */
const MIN_AGE_SECONDS = 60;

/** Seals up to `maxEntries` entries at least `minAgeSeconds` old. Returns their number. */
export async function sealEntries({
  maxEntries,
  minAgeSeconds = MIN_AGE_SECONDS,
}: {
  maxEntries: number;
  minAgeSeconds?: number;
}): Promise<number> {
  for (let sealedCount = 0; ; ) {
    const limit = Math.min(BATCH_SIZE, maxEntries - sealedCount);
    const count = limit > 0 ? await inTransaction((tx) => sealNextBatch(tx, { limit, minAgeSeconds })) : 0;
    sealedCount += count;
    if (count < BATCH_SIZE) return sealedCount;
  }
}

async function sealNextBatch(tx: DbAccess, batch: { limit: number; minAgeSeconds: number }): Promise<number> {
  await lockSeals(tx);
  const entries = await listUnsealedEntries(tx, batch);
  if (entries.length === 0) return 0;
  const lastSeal = await tx.db.auditSeal.findFirst({
    orderBy: { id: "desc" },
    select: { id: true, hash: true },
  });
  const hashes = entries.map(computeEntryHashes);
  const unlinkedSeal = {
    id: (lastSeal?.id ?? 0) + 1,
    rows: entries.length,
    firstId: entries[0]!.id,
    lastId: entries.at(-1)!.id,
    digest: createHash("sha256")
      .update(Buffer.concat(hashes.map(({ rowHash }) => rowHash)))
      .digest(),
    at: new Date(),
  };
  const seal = sealChain.linkRows([unlinkedSeal], lastSeal?.hash)[0]!;
  const { id: sealId, hash } = seal;
  const data = { ...seal, firstId: BigInt(seal.firstId), lastId: BigInt(seal.lastId) };
  await tx.db.auditSeal.create({ data, select: { id: true } });
  await markSealed(tx, {
    sealId,
    ids: entries.map(({ id }) => id),
    contentHashes: hashes.map(({ contentHash }) => toHex(contentHash)),
    rowHashes: hashes.map(({ rowHash }) => toHex(rowHash)),
  });
  const head = { sealId, hash, mac: sealChain.signHead({ id: sealId, hash }).mac };
  await tx.db.auditHead.upsert({ where: { id: 1 }, create: head, update: head, select: { id: true } });
  // The log is outside the database: it reveals a replacement of both seals and head.
  log.info({ event: "audit.sealed", seal: sealId, entries: seal.rows, hash: toHex(hash) });
  return entries.length;
}

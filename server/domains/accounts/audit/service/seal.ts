import { createHash } from "node:crypto";
import { log } from "@/server/core/log";
import { inTransaction, type Work } from "@/server/infrastructure/database/transaction";
import { listUnsealed, lockSeals, markSealed } from "../statements";
import { contentHashOf, headMacOf, rowHashOf, sealHashOf } from "./hash";

/*
 * Entries are chained without a lock on whoever writes them: what is a minute old is sealed by a job, many at once. Each
 * entry gets a hash under a key outside the database, each seal a hash over those of its entries and the seal before it.
 */

/** Entries under one seal at most, so that each transaction is short. */
const BATCH = 1000;

/** Seconds after which an entry is sealed: what wrote it has ended or fails. A later one is under the next seal. */
const AGE = 60;

/** Seals what waits, at most so many entries. Returns how many it has sealed. */
export async function sealEntries({
  most,
  seconds = AGE,
}: {
  most: number;
  seconds?: number;
}): Promise<number> {
  for (let sealed = 0; ; ) {
    const limit = Math.min(BATCH, most - sealed);
    const count = limit > 0 ? await inTransaction((tx) => sealNext(tx, { limit, seconds })) : 0;
    sealed += count;
    if (count < BATCH) return sealed;
  }
}

async function sealNext(tx: Work, given: { limit: number; seconds: number }): Promise<number> {
  await lockSeals(tx);
  const entries = await listUnsealed(tx, given);
  if (entries.length === 0) return 0;
  const last = await tx.db.auditSeal.findFirst({ orderBy: { id: "desc" }, select: { id: true, hash: true } });
  const contents = entries.map(contentHashOf);
  const rows = entries.map((entry, index) => rowHashOf(entry, contents[index]!));
  const unhashed = {
    id: (last?.id ?? 0) + 1,
    rows: entries.length,
    firstId: entries[0]!.id,
    lastId: entries.at(-1)!.id,
    digest: createHash("sha256").update(Buffer.concat(rows)).digest(),
    prevHash: last && Buffer.from(last.hash),
    at: new Date(),
  };
  const hash = sealHashOf(unhashed);
  const data = { ...unhashed, firstId: BigInt(unhashed.firstId), lastId: BigInt(unhashed.lastId), hash };
  await tx.db.auditSeal.create({ data, select: { id: true } });
  await markSealed(tx, {
    sealId: data.id,
    ids: entries.map(({ id }) => id),
    contents: contents.map(hexOf),
    rows: rows.map(hexOf),
  });
  const head = { sealId: data.id, hash, mac: headMacOf({ sealId: data.id, hash }) };
  await tx.db.auditHead.upsert({ where: { id: 1 }, create: head, update: head, select: { id: true } });
  // Kept where the log is kept, the hash shows that seals and head were put back together.
  log.info({ event: "audit.sealed", seal: data.id, entries: data.rows, hash: hexOf(hash) });
  return entries.length;
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

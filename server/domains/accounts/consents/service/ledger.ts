import { createHmac } from "node:crypto";
import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service";
import type { Work } from "@/server/infrastructure/database/transaction";
import { derivedKey, derivedKeys } from "@/server/infrastructure/secrets/derive";
import { sameBytes } from "@/server/infrastructure/secrets/tokens";
import { listEntries, listStubs, lockLedger, reserveIds } from "../statements";
import { notedHeads, readHead, writeHead } from "./head";

/*
 * Consents are an append-only ledger: each row carries an HMAC over its content and the hash of the previous row, of
 * whatever account, under a key outside the database. Write access to the database alone is not enough to alter,
 * remove or move a row unnoticed. Rows of a deleted account leave their hashes behind. The head outside of the rows
 * shows what the chain alone cannot: rows cut off at its end, and hashes taken from all of them.
 */

const BATCH = 2000;

/** The data of an entry; the chain adds id, time and hashes. */
export type Entry = Omit<Row, "id" | "createdAt" | "prevHash" | "hash">;

type Row = Awaited<ReturnType<typeof listEntries>>[number];

/** What remains of a deleted account's row: its place in the chain. */
interface Stub {
  id: number;
  prev: string | null;
  hash: string;
}

/** The canonical form of a row that is hashed; by default under the current key. */
function hashOf(row: Omit<Row, "hash">, key = derivedKey("consents")): Row["hash"] & {} {
  const content = [
    row.id,
    row.prevHash?.toString("hex") ?? null,
    row.userId,
    row.key,
    row.granted,
    row.textVersion,
    row.textHash,
    row.locale,
    row.ip,
    row.userAgent,
    row.source,
    row.createdAt.toISOString(),
  ];
  return createHmac("sha256", key).update(JSON.stringify(content)).digest();
}

function stubMac({ id, prev, hash }: Stub, key = derivedKey("consents:erased")): string {
  const content = JSON.stringify([id, prev, hash]);
  return createHmac("sha256", key).update(content).digest("hex");
}

/** Appends entries to the chain, in the caller's transaction. Rows older than the head are sealed first. */
export async function appendEntries(tx: Work, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await lockLedger(tx);
  await sealOldRows(tx);
  const head = await readHead(tx);
  const newest = await tx.db.consentRecord.findFirst({
    orderBy: { id: "desc" },
    select: { hash: true },
  });
  // A head that is forged or gone stays so, for the check to find.
  const sound = head ? head !== "forged" : newest === null;
  let prevHash = head && head !== "forged" ? Buffer.from(head.hash, "hex") : bytesOf(newest?.hash);
  const ids = await reserveIds(tx, { count: entries.length });
  const rows = entries.map((entry, index) => {
    const row = { ...entry, id: ids[index]!.id, prevHash, createdAt: new Date() };
    const hash = hashOf(row);
    prevHash = hash;
    return { ...row, hash };
  });
  await tx.db.consentRecord.createMany({ data: rows });
  if (!sound || head === "forged") return;
  const last = rows.at(-1)!;
  await writeHead(tx, { count: (head?.count ?? 0) + rows.length, id: last.id, hash: hexOf(last.hash) });
}

function bytesOf(hash: Uint8Array | null | undefined): Row["hash"] {
  return hash ? Buffer.from(hash) : null;
}

/** Seals the rows from before there was a head, chaining them if need be. Returns how many; an unsound chain stays. */
export async function sealOldRows(tx: Work): Promise<number> {
  // A ledger whose head was noted had one: that it is gone is for the check to find.
  if ((await readHead(tx)) || (await notedHeads(tx)).length > 0) return 0;
  await chainOldRows(tx);
  const { checked, lastId, head, broken } = await walk(tx);
  if (broken || head === null) return 0;
  await writeHead(tx, { count: checked, id: lastId, hash: head });
  return checked;
}

/** Chains rows older than the chain; once it exists, a row without a hash is a break. */
async function chainOldRows(tx: Work): Promise<void> {
  const chained = await tx.db.consentRecord.findFirst({
    where: { hash: { not: null } },
    select: { id: true },
  });
  if (chained || (await stubsOf(tx)).length > 0) return;
  let [after, prevHash] = [0, null as Row["hash"]];
  for (;;) {
    const rows = await listEntries(tx, { after, limit: BATCH });
    for (const row of rows) {
      const hash = hashOf({ ...row, prevHash });
      await tx.db.consentRecord.update({
        where: { id: row.id },
        data: { prevHash, hash },
        select: { id: true },
      });
      [prevHash, after] = [hash, row.id];
    }
    if (rows.length < BATCH) return;
  }
}

/**
 * Removes the rows of an account that is deleted for good; their places in the chain stay as hashes in the audit log.
 * Call it in the transaction of the deletion.
 */
export async function eraseEntries(tx: Context, userId: number): Promise<void> {
  await lockLedger(tx);
  await sealOldRows(tx);
  // Nothing can be inserted between the two: every writer holds the ledger's lock.
  const rows = await tx.db.consentRecord.findMany({
    where: { userId },
    orderBy: { id: "asc" },
    select: { id: true, prevHash: true, hash: true },
  });
  await tx.db.consentRecord.deleteMany({ where: { userId } });
  for (const { id, prevHash, hash } of rows) {
    if (!hash) continue;
    const stub = { id, prev: prevHash && hexOf(prevHash), hash: hexOf(hash) };
    await audit(tx, { action: "consents.erased", details: { ...stub, mac: stubMac(stub) } });
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** Returns the stubs in the chain's order; a forged one is left out, so that its row counts as removed. */
async function stubsOf(work: Pick<Work, "sql">): Promise<Stub[]> {
  const rows = await listStubs(work);
  return rows
    .map(({ details }) => details)
    .filter(({ mac, ...stub }) => derivedKeys("consents:erased").some((key) => stubMac(stub, key) === mac))
    .sort((a, b) => a.id - b.id);
}

export interface Verdict {
  /** Number of rows and stubs checked. */
  checked: number;
  /** Id and hash of the newest row: stored elsewhere, the hash also reveals that head and end were replaced together. */
  lastId: number;
  head: string | null;
  /** All hashes of the walk, so that a stored head can be looked up. */
  heads: Set<string>;
  /** The first row that breaks the chain. */
  broken?: { id: number; reason: Break };
}

type Break = "altered" | "removed_before" | "unchained" | "cut_off" | "head_removed" | "head_forged";

/** Walks the whole chain and compares its end with the heads kept outside of it. */
export async function verifyLedger(work: Pick<Work, "sql">): Promise<Verdict> {
  const verdict = await walk(work);
  verdict.broken ??= await brokenEnd(work, verdict);
  return verdict;
}

async function brokenEnd(work: Pick<Work, "sql">, { checked, lastId, head, heads }: Verdict) {
  const [stored, noted] = [await readHead(work), await notedHeads(work)];
  if (stored === "forged") return { id: lastId, reason: "head_forged" as const };
  if (!stored)
    return checked + noted.length > 0 ? { id: lastId, reason: "head_removed" as const } : undefined;
  const sound = stored.count === checked && stored.hash === head;
  const lost = sound ? noted.find(({ hash }) => !heads.has(hash)) : stored;
  return lost && { id: lost.id, reason: "cut_off" as const };
}

/** Walks the chain, in the order of the rows' ids. */
async function walk(work: Pick<Work, "sql">): Promise<Verdict> {
  const stubs = await stubsOf(work);
  const verdict: Verdict = { checked: 0, lastId: 0, head: null, heads: new Set() };
  const step = (id: number, prev: string | null, hash: string | null, sound: boolean): boolean => {
    const reason = !hash
      ? "unchained"
      : !sound
        ? "altered"
        : prev !== verdict.head
          ? "removed_before"
          : undefined;
    if (reason) verdict.broken = { id, reason };
    else {
      verdict.checked++;
      verdict.lastId = id;
      verdict.head = hash;
      verdict.heads.add(hash!);
    }
    return !reason;
  };
  let after = 0;
  for (;;) {
    const rows = await listEntries(work, { after, limit: BATCH });
    for (const row of rows) {
      while (stubs[0] && stubs[0].id < row.id) {
        const stub = stubs.shift()!;
        if (!step(stub.id, stub.prev, stub.hash, true)) return verdict;
      }
      const { hash } = row;
      const sound = hash !== null && derivedKeys("consents").some((key) => sameBytes(hash, hashOf(row, key)));
      const prev = row.prevHash?.toString("hex") ?? null;
      if (!step(row.id, prev, row.hash?.toString("hex") ?? null, sound)) return verdict;
      after = row.id;
    }
    if (rows.length < BATCH) break;
  }
  for (const stub of stubs) if (!step(stub.id, stub.prev, stub.hash, true)) return verdict;
  return verdict;
}

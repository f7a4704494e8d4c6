import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  createMac,
  createStubs,
  hashChain,
  readBatches,
  type Stub,
  toHex,
  type VerificationResult,
} from "@/server/infrastructure/chain";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { findHead, listEntries, listRecordedHeads, listStubs, lockLedger, reserveIds } from "../statements";

type Row = Awaited<ReturnType<typeof listEntries>>[number];

/** Entry before it is chained. The chain adds ID, time and hashes. */
export type Entry = Omit<Row, "id" | "createdAt" | "prevHash" | "hash">;

type Head = { count: number; id: number; hash: Uint8Array };

const ledger = hashChain<Row, Head>({
  row: createMac("consents", (row) => [
    row.id,
    toHex(row.prevHash),
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
  ]),
  head: createMac("consents:head", ({ count, id, hash }) => [count, id, toHex(hash)]),
});
const erasureStubs = createStubs("consents:erased");

/** Appends entries to the chain in the caller's transaction. Seals rows from before the head first. */
export async function appendEntries(tx: DbAccess, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await lockLedger(tx);
  await sealOldRows(tx);
  const [head] = await findHead(tx);
  const newestRow = await tx.db.consentRecord.findFirst({ orderBy: { id: "desc" }, select: { hash: true } });
  // Do not repair a forged or missing head: the check must report it.
  const isIntact = head ? ledger.isHead(head) : newestRow === null;
  const ids = await reserveIds(tx, { count: entries.length });
  const rows = ledger.link(
    entries.map((entry, index) => ({ ...entry, id: ids[index]!.id, createdAt: new Date() })),
    isIntact ? head?.hash : newestRow?.hash,
  );
  await tx.db.consentRecord.createMany({ data: rows });
  const { id, hash } = rows.at(-1)!;
  if (isIntact) await writeHead(tx, { count: (head?.count ?? 0) + rows.length, id, hash });
}

async function writeHead({ db }: Pick<DbAccess, "db">, head: Head): Promise<void> {
  const { count, mac } = ledger.signHead(head);
  const data = { count, lastId: head.id, hash: Buffer.from(head.hash), mac };
  await db.consentHead.upsert({ where: { id: 1 }, create: data, update: data, select: { id: true } });
}

/** Seals rows from before the head existed. Returns their number; leaves a broken chain unchanged. */
export async function sealOldRows(tx: DbAccess): Promise<number> {
  // A head recorded in the audit log means that the head was removed: the check must report it.
  if ((await findHead(tx)).length > 0 || (await loadRecordedHeads(tx)).length > 0) return 0;
  await chainOldRows(tx);
  const { checked, lastId, head, broken } = await ledger.walk(await loadRows(tx));
  if (broken || head === null) return 0;
  await writeHead(tx, { count: checked, id: lastId, hash: Buffer.from(head, "hex") });
  return checked;
}

/** Chains rows from before the chain existed. Later, the check reports a row without a hash. */
async function chainOldRows(tx: DbAccess): Promise<void> {
  const chainedCount = await tx.db.consentRecord.count({ where: { hash: { not: null } } });
  if (chainedCount > 0 || (await loadStubs(tx)).length > 0) return;
  let lastHash: Uint8Array | null = null;
  for await (const rows of readBatches((after: number, limit) => listEntries(tx, { after, limit }), 0))
    for (const { id, prevHash, hash } of ledger.link(rows, lastHash)) {
      await tx.db.consentRecord.update({ where: { id }, data: { prevHash, hash }, select: { id: true } });
      lastHash = hash;
    }
}

/** Deletes an account's rows; the audit log keeps their hashes as stubs. */
export async function eraseEntries(tx: Context, userId: number): Promise<void> {
  await lockLedger(tx);
  await sealOldRows(tx);
  // Every writer holds the ledger's lock: no row can appear between find and delete.
  const rows = await tx.db.consentRecord.findMany({
    where: { userId },
    orderBy: { id: "asc" },
    select: { id: true, prevHash: true, hash: true },
  });
  await tx.db.consentRecord.deleteMany({ where: { userId } });
  for (const { hash, ...row } of rows)
    if (hash) await audit(tx, { action: "consents.erased", details: erasureStubs.create({ ...row, hash }) });
}

async function loadStubs(access: Pick<DbAccess, "sql">): Promise<Stub[]> {
  return erasureStubs.filterAuthentic((await listStubs(access)).map(({ details }) => details));
}

async function loadRows(access: Pick<DbAccess, "sql">) {
  const read = (after: number, limit: number) => listEntries(access, { after, limit });
  return { read, stubs: await loadStubs(access) };
}

async function loadRecordedHeads(access: Pick<DbAccess, "sql">) {
  return (await listRecordedHeads(access))
    .map(({ hash, mac, ...head }) => ({
      ...head,
      hash: Buffer.from(hash, "hex"),
      mac: Buffer.from(mac, "hex"),
    }))
    .filter(ledger.isHead);
}

/** Copies the head to the audit log, so that the check detects a head replaced by an older one. */
export async function recordHead(ctx: Context): Promise<void> {
  const [head] = await findHead(ctx);
  if (!head || !ledger.isHead(head)) return;
  if ((await loadRecordedHeads(ctx)).some(({ hash }) => hash.equals(head.hash))) return;
  const { count, id, hash, mac } = ledger.signHead(head);
  await audit(ctx, { action: "consents.sealed", details: { count, id, hash: toHex(hash), mac: toHex(mac) } });
}

/** Verifies the chain, its head and the heads in the audit log. Lock the ledger if entries may be added. */
export async function verifyLedger(access: Pick<DbAccess, "sql">): Promise<VerificationResult> {
  const [head] = await findHead(access);
  return ledger.verify({ ...(await loadRows(access)), head, recordedHeads: await loadRecordedHeads(access) });
}

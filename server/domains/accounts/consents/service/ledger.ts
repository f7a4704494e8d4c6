import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  createMac,
  createStubSigner,
  defineHashChain,
  readBatches,
  type Stub,
  toHex,
  type VerificationResult,
} from "@/server/infrastructure/chain";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import {
  findHead,
  listEntries,
  listRecordedHeads,
  listStubs,
  lockLedger,
  reserveEntryIds,
} from "../statements";

type Row = Awaited<ReturnType<typeof listEntries>>[number];

export type NewConsentEntry = Omit<Row, "id" | "createdAt" | "prevHash" | "hash">;

type Head = { count: number; id: number; hash: Uint8Array };

const ledger = defineHashChain<Row, Head>({
  // The fields and their order are part of every stored hash: never change them.
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
const erasureStubs = createStubSigner("consents:erased");

/** Appends entries to the chain in the caller's transaction. First seals rows of releases without a head. */
export async function appendConsentEntries(tx: DbAccess, entries: NewConsentEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await lockLedger(tx);
  await sealLegacyRows(tx);
  const [head] = await findHead(tx);
  const newestRow = await tx.db.consentRecord.findFirst({ orderBy: { id: "desc" }, select: { hash: true } });
  // Do not repair a forged or missing head: the check must report it.
  const isHeadIntact = head ? ledger.isAuthenticHead(head) : newestRow === null;
  const ids = await reserveEntryIds(tx, { count: entries.length });
  const rows = ledger.linkRows(
    entries.map((entry, index) => ({ ...entry, id: ids[index]!.id, createdAt: new Date() })),
    isHeadIntact ? head?.hash : newestRow?.hash,
  );
  await tx.db.consentRecord.createMany({ data: rows });
  const { id, hash } = rows.at(-1)!;
  if (isHeadIntact) await writeHead(tx, { count: (head?.count ?? 0) + rows.length, id, hash });
}

async function writeHead({ db }: Pick<DbAccess, "db">, head: Head): Promise<void> {
  const { count, mac } = ledger.signHead(head);
  const headRow = { count, lastId: head.id, hash: Buffer.from(head.hash), mac };
  await db.consentHead.upsert({ where: { id: 1 }, create: headRow, update: headRow, select: { id: true } });
}

/** Seals rows of releases without a head, and returns their number. Leaves a broken chain unchanged. */
export async function sealLegacyRows(tx: DbAccess): Promise<number> {
  // Without a head, but with one recorded in the audit log, the head was removed: the check must report it.
  if ((await findHead(tx)).length > 0 || (await loadRecordedHeads(tx)).length > 0) return 0;
  await chainLegacyRows(tx);
  const { checked, lastId, lastHash, broken } = await ledger.verifyRows(await createRowSource(tx));
  if (broken || lastHash === null) return 0;
  await writeHead(tx, { count: checked, id: lastId, hash: Buffer.from(lastHash, "hex") });
  return checked;
}

/** Does nothing once a row is chained: from then on, the check reports rows without a hash. */
async function chainLegacyRows(tx: DbAccess): Promise<void> {
  const chainedCount = await tx.db.consentRecord.count({ where: { hash: { not: null } } });
  if (chainedCount > 0 || (await loadStubs(tx)).length > 0) return;
  let lastHash: Uint8Array | null = null;
  for await (const rows of readBatches((afterId: number, limit) => listEntries(tx, { afterId, limit }), 0))
    for (const { id, prevHash, hash } of ledger.linkRows(rows, lastHash)) {
      await tx.db.consentRecord.update({ where: { id }, data: { prevHash, hash }, select: { id: true } });
      lastHash = hash;
    }
}

/** Deletes an account's rows; the audit log keeps their hashes as stubs. */
export async function eraseConsentEntries(tx: Context, userId: number): Promise<void> {
  await lockLedger(tx);
  await sealLegacyRows(tx);
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

async function createRowSource(access: Pick<DbAccess, "sql">) {
  const readEntries = (afterId: number, limit: number) => listEntries(access, { afterId, limit });
  return { read: readEntries, stubs: await loadStubs(access) };
}

async function loadRecordedHeads(access: Pick<DbAccess, "sql">) {
  return (await listRecordedHeads(access))
    .map(({ hash, mac, ...head }) => ({
      ...head,
      hash: Buffer.from(hash, "hex"),
      mac: Buffer.from(mac, "hex"),
    }))
    .filter(ledger.isAuthenticHead);
}

/** Copies the head to the audit log, so that the check detects a head replaced by an older one. */
export async function recordLedgerHead(ctx: Context): Promise<void> {
  const [head] = await findHead(ctx);
  if (!head || !ledger.isAuthenticHead(head)) return;
  if ((await loadRecordedHeads(ctx)).some(({ hash }) => hash.equals(head.hash))) return;
  const { count, id, hash, mac } = ledger.signHead(head);
  await audit(ctx, { action: "consents.sealed", details: { count, id, hash: toHex(hash), mac: toHex(mac) } });
}

/** Verifies the chain, its head and the heads in the audit log. Lock the ledger if entries may be added. */
export async function verifyConsentLedger(access: Pick<DbAccess, "sql">): Promise<VerificationResult> {
  const [head] = await findHead(access);
  return ledger.verify({
    ...(await createRowSource(access)),
    head,
    recordedHeads: await loadRecordedHeads(access),
  });
}

import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  createMac,
  createStubSigner,
  defineHashChain,
  type StoredStub,
  toHex,
  type VerificationResult,
} from "@/server/infrastructure/chain";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { lockSignatures, reserveSignatureId } from "../statements";

export interface Signature {
  resellerId: number;
  version: string;
  locale: string;
  textHash: Uint8Array<ArrayBuffer>;
  typedName: string;
  ip: string | null;
  userAgent: string | null;
}
type SignatureRow = Signature & { id: number; signedAt: Date; prevHash: Uint8Array | null; hash: Uint8Array };

const signatureChain = defineHashChain<SignatureRow, { count: number; hash: Uint8Array }>({
  // Every stored hash depends on this order. Only append fields, and with a new purpose.
  row: createMac("agreements", (row) => [
    row.id,
    toHex(row.prevHash),
    row.resellerId,
    row.version,
    row.locale,
    toHex(row.textHash),
    row.typedName,
    row.ip,
    row.userAgent,
    row.signedAt.toISOString(),
  ]),
  head: createMac("agreements:head", ({ count, hash }) => [count, toHex(hash)]),
});
const erasureStubs = createStubSigner("agreements:erased");

const HEAD_SELECT = { count: true, hash: true, mac: true } as const;

/** Returns the time of the signature; undefined if the version was already signed. */
export async function appendSignature(tx: DbAccess, signature: Signature): Promise<Date | undefined> {
  await lockSignatures(tx);
  const { resellerId, version } = signature;
  if (await tx.db.agreementSignature.count({ where: { resellerId, version } })) return undefined;
  const storedHead = await tx.db.agreementHead.findUnique({ where: { id: 1 }, select: HEAD_SELECT });
  const [reservedId] = await reserveSignatureId(tx);
  const unlinkedSignature = { ...signature, id: reservedId!.id, signedAt: new Date() };
  const row = signatureChain.linkRows([unlinkedSignature], storedHead?.hash)[0]!;
  await tx.db.agreementSignature.create({ data: row, select: { id: true } });
  const { count, mac } = signatureChain.signHead({ count: (storedHead?.count ?? 0) + 1, hash: row.hash });
  const head = { count, hash: row.hash, mac };
  await tx.db.agreementHead.upsert({ where: { id: 1 }, create: head, update: head, select: { id: true } });
  return row.signedAt;
}

/** Deletes an account's signatures. Stubs in the audit log replace them and keep the chain verifiable. */
export async function eraseSignatures(tx: Context, resellerId: number): Promise<void> {
  await lockSignatures(tx);
  const rows = await tx.db.agreementSignature.findMany({
    where: { resellerId },
    orderBy: { id: "asc" },
    select: { id: true, prevHash: true, hash: true },
  });
  await tx.db.agreementSignature.deleteMany({ where: { resellerId } });
  for (const row of rows) await audit(tx, { action: "agreement.erased", details: erasureStubs.create(row) });
}

export async function verifySignatures(tx: Pick<DbAccess, "db" | "sql">): Promise<VerificationResult> {
  await lockSignatures(tx);
  const head = await tx.db.agreementHead.findUnique({ where: { id: 1 }, select: HEAD_SELECT });
  const erasureEntries = await tx.db.auditEvent.findMany({
    where: { action: "agreement.erased" },
    select: { details: true },
  });
  const stubs = erasureStubs.filterAuthentic(
    erasureEntries.map(({ details }) => details as unknown as StoredStub),
  );
  const read = (after: number, take: number) =>
    tx.db.agreementSignature.findMany({ where: { id: { gt: after } }, orderBy: { id: "asc" }, take });
  return signatureChain.verify({ head: head ?? undefined, read, stubs });
}

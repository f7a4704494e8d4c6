import { createHmac } from "node:crypto";
import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service";
import type { Work } from "@/server/infrastructure/database/transaction";
import { derivedKey, derivedKeys } from "@/server/infrastructure/secrets/derive";
import { sameBytes } from "@/server/infrastructure/secrets/tokens";
import { lockSignatures, reserveId } from "../statements";

/*
 * Signatures are append-only and chained as consents are: each row carries an HMAC over its content and the row before,
 * under a key outside the database, and a head outside of the rows tells how many there are and how they end.
 */

const [ROWS, HEAD, ERASED] = ["agreements", "agreements:head", "agreements:erased"];

/** A signature before it is in the chain. */
export interface Signature {
  resellerId: number;
  version: string;
  locale: string;
  textHash: Buffer<ArrayBuffer>;
  typedName: string;
  ip: string | null;
  userAgent: string | null;
}
type Row = Signature & { id: number; signedAt: Date; prevHash: Buffer<ArrayBuffer> | null };

function hashOf(row: Row, key = derivedKey(ROWS)): Buffer<ArrayBuffer> {
  const content = [
    row.id,
    row.prevHash?.toString("hex") ?? null,
    row.resellerId,
    row.version,
    row.locale,
    row.textHash.toString("hex"),
    row.typedName,
    row.ip,
    row.userAgent,
    row.signedAt.toISOString(),
  ];
  return createHmac("sha256", key).update(JSON.stringify(content)).digest();
}

function macOf(count: number, hash: Uint8Array, key = derivedKey(HEAD)): Buffer<ArrayBuffer> {
  const content = JSON.stringify([count, Buffer.from(hash).toString("hex")]);
  return createHmac("sha256", key).update(content).digest();
}

/** Appends a signature, under the chain's lock until the transaction ends. Returns when; undefined when there is one already. */
export async function appendSignature(tx: Work, signature: Signature): Promise<Date | undefined> {
  await lockSignatures(tx);
  const { resellerId, version } = signature;
  if (await tx.db.agreementSignature.count({ where: { resellerId, version } })) return undefined;
  const head = await tx.db.agreementHead.findUnique({
    where: { id: 1 },
    select: { count: true, hash: true },
  });
  const [reserved] = await reserveId(tx);
  const prevHash = head ? Buffer.from(head.hash) : null;
  const row = { ...signature, id: reserved!.id, signedAt: new Date(), prevHash };
  const hash = hashOf(row);
  await tx.db.agreementSignature.create({ data: { ...row, hash }, select: { id: true } });
  const count = (head?.count ?? 0) + 1;
  const data = { count, hash, mac: macOf(count, hash) };
  await tx.db.agreementHead.upsert({ where: { id: 1 }, create: data, update: data, select: { id: true } });
  return row.signedAt;
}

/** What remains of a row whose years are over: its place in the chain. */
interface Stub {
  id: number;
  prev: string | null;
  hash: string;
}

function stubMac({ id, prev, hash }: Stub, key = derivedKey(ERASED)): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([id, prev, hash]))
    .digest("hex");
}

/** Removes the signatures of an account that is deleted for good; their places in the chain stay in the audit log. */
export async function eraseSignatures(tx: Context, resellerId: number): Promise<void> {
  await lockSignatures(tx);
  const rows = await tx.db.agreementSignature.findMany({
    where: { resellerId },
    orderBy: { id: "asc" },
    select: { id: true, prevHash: true, hash: true },
  });
  await tx.db.agreementSignature.deleteMany({ where: { resellerId } });
  for (const { id, prevHash, hash } of rows) {
    const stub = { id, prev: prevHash && hexOf(prevHash), hash: hexOf(hash) };
    await audit(tx, { action: "agreement.erased", details: { ...stub, mac: stubMac(stub) } });
  }
}

/** The places of erased rows; a forged one is left out, so that its row counts as removed. */
async function stubsOf({ db }: Pick<Work, "db">): Promise<Stub[]> {
  const events = await db.auditEvent.findMany({
    where: { action: "agreement.erased" },
    select: { details: true },
  });
  return events
    .map(({ details }) => details as unknown as Stub & { mac: string })
    .filter(({ mac, ...stub }) => derivedKeys(ERASED).some((key) => stubMac(stub, key) === mac));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

type Break = "altered" | "removed_before" | "cut_off" | "head_removed" | "head_forged";

/** Walks the chain. Returns how many rows are as they were signed, and the first that is not. */
export async function verifySignatures(
  tx: Pick<Work, "db" | "sql">,
): Promise<{ checked: number; broken?: { id: number; reason: Break } }> {
  await lockSignatures(tx);
  const rows = await tx.db.agreementSignature.findMany({ orderBy: { id: "asc" } });
  const places = [
    ...rows.map(({ hash, ...row }) => {
      const given = {
        ...row,
        textHash: Buffer.from(row.textHash),
        prevHash: row.prevHash && Buffer.from(row.prevHash),
      };
      const sound = derivedKeys(ROWS).some((key) => sameBytes(hash, hashOf(given, key)));
      return { id: row.id, prev: row.prevHash && hexOf(row.prevHash), hash: hexOf(hash), sound };
    }),
    ...(await stubsOf(tx)).map((stub) => ({ ...stub, sound: true })),
  ].toSorted((a, b) => a.id - b.id);
  let [checked, last] = [0, null as string | null];
  for (const { id, prev, hash, sound } of places) {
    if (!sound) return { checked, broken: { id, reason: "altered" } };
    if (prev !== last) return { checked, broken: { id, reason: "removed_before" } };
    checked++;
    last = hash;
  }
  const id = places.at(-1)?.id ?? 0;
  const head = await tx.db.agreementHead.findUnique({ where: { id: 1 } });
  if (!head) return checked > 0 ? { checked, broken: { id, reason: "head_removed" } } : { checked };
  const ours = derivedKeys(HEAD).some((key) => sameBytes(head.mac, macOf(head.count, head.hash, key)));
  if (!ours) return { checked, broken: { id, reason: "head_forged" } };
  if (head.count !== checked || hexOf(head.hash) !== last)
    return { checked, broken: { id, reason: "cut_off" } };
  return { checked };
}

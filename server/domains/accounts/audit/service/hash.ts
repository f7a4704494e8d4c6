import { createHash } from "node:crypto";
import { createMac, hashChain, toHex } from "@/server/infrastructure/chain";
import type { Seal, Sealable } from "../statements";

/** One key for all hashes; each canonical form starts with its kind. */
const KEY_PURPOSE = "audit";

/** Bytes of each half of the content hash: the facts' and the origin's. Either half may be erased. */
const HALF_BYTES = 16;

// The id makes the hashes of equal facts or addresses differ.
const factsMac = createMac<Sealable>(
  KEY_PURPOSE,
  ({ id, details, before, after }) => ["facts", id, details, before, after],
  HALF_BYTES,
);
const originMac = createMac<Sealable>(
  KEY_PURPOSE,
  ({ id, ip, userAgent }) => ["origin", id, ip, userAgent],
  HALF_BYTES,
);
const rowMac = createMac<Sealable & { contentHash: Uint8Array }>(KEY_PURPOSE, (row) => [
  "row",
  row.id,
  row.at.toISOString(),
  row.actorKind,
  row.actorId,
  row.onBehalfOf,
  row.action,
  row.objectType,
  row.objectId,
  row.requestId,
  toHex(row.contentHash),
]);

export function computeHashes(row: Sealable) {
  const contentHash = Buffer.concat([factsMac.compute(row), originMac.compute(row)]);
  return { contentHash, rowHash: rowMac.compute({ ...row, contentHash }) };
}

/** Compares an entry with its hashes; `erased` if only erasable content is missing. */
export function getEntryState(
  row: Sealable & { contentHash: Uint8Array | null; rowHash: Uint8Array | null },
): "whole" | "erased" | "altered" {
  const { contentHash, rowHash } = row;
  if (!contentHash || !rowHash || !rowMac.matches({ ...row, contentHash }, rowHash)) return "altered";
  const hasFacts = factsMac.matches(row, contentHash.subarray(0, HALF_BYTES));
  const hasOrigin = originMac.matches(row, contentHash.subarray(HALF_BYTES));
  if (hasFacts && hasOrigin) return "whole";
  const hasNoFacts = row.details === null && row.before === null && row.after === null;
  const hasNoOrigin = row.ip === null && row.userAgent === null;
  return (hasFacts || hasNoFacts) && (hasOrigin || hasNoOrigin) ? "erased" : "altered";
}

/** `isGrowing`: the chain is verified without a lock, while seals are added. */
export const sealChain = hashChain<Seal, { id: number; hash: Uint8Array }>({
  row: createMac(KEY_PURPOSE, ({ id, rows, firstId, lastId, digest, prevHash, at }) => [
    "seal",
    id,
    rows,
    firstId,
    lastId,
    toHex(digest),
    toHex(prevHash),
    at.toISOString(),
  ]),
  head: createMac(KEY_PURPOSE, ({ id, hash }) => ["head", id, toHex(hash)]),
  isNumbered: true,
  isGrowing: true,
});

/** Replaces deleted seals: the last of them, and the count and digest of entries kept as evidence. */
export interface RetentionStub {
  id: number;
  hash: Uint8Array;
  kept: number;
  digest: Uint8Array;
}
export const retentionStub = createMac<RetentionStub>(KEY_PURPOSE, ({ id, hash, kept, digest }) => [
  "stub",
  id,
  toHex(hash),
  kept,
  toHex(digest),
]);

export function extendKeptDigest(before: Uint8Array, rowHash: Uint8Array): Buffer<ArrayBuffer> {
  return createHash("sha256").update(before).update(rowHash).digest();
}

import { createHash } from "node:crypto";
import { createMac, defineHashChain, toHex } from "@/server/infrastructure/chain";
import type { Seal, SealableEntry } from "../statements";

/**
 * Key of all MACs below. The fields of each MAC start with its kind. Never change them or their order: stored
 * hashes depend on them.
 */
const KEY_PURPOSE = "audit";

/** Size of each half of the content hash: one for the facts, one for the origin. Either can be erased. */
const HALF_HASH_BYTES = 16;

// The id makes the hashes of equal facts or addresses differ.
const factsMac = createMac<SealableEntry>(
  KEY_PURPOSE,
  ({ id, details, before, after }) => ["facts", id, details, before, after],
  HALF_HASH_BYTES,
);
const originMac = createMac<SealableEntry>(
  KEY_PURPOSE,
  ({ id, ip, userAgent }) => ["origin", id, ip, userAgent],
  HALF_HASH_BYTES,
);
const rowMac = createMac<SealableEntry & { contentHash: Uint8Array }>(KEY_PURPOSE, (row) => [
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

export function computeEntryHashes(row: SealableEntry) {
  const contentHash = Buffer.concat([factsMac.compute(row), originMac.compute(row)]);
  return { contentHash, rowHash: rowMac.compute({ ...row, contentHash }) };
}

/** Compares an entry with its hashes. Returns `erased` if only erasable content is missing. */
export function getEntryState(
  row: SealableEntry & { contentHash: Uint8Array | null; rowHash: Uint8Array | null },
): "whole" | "erased" | "altered" {
  const { contentHash, rowHash } = row;
  if (!contentHash || !rowHash || !rowMac.matches({ ...row, contentHash }, rowHash)) return "altered";
  const areFactsIntact = factsMac.matches(row, contentHash.subarray(0, HALF_HASH_BYTES));
  const isOriginIntact = originMac.matches(row, contentHash.subarray(HALF_HASH_BYTES));
  if (areFactsIntact && isOriginIntact) return "whole";
  const areFactsErased = row.details === null && row.before === null && row.after === null;
  const isOriginErased = row.ip === null && row.userAgent === null;
  return (areFactsIntact || areFactsErased) && (isOriginIntact || isOriginErased) ? "erased" : "altered";
}

/** `isGrowing`: the chain is verified without a lock, while seals are added. */
export const sealChain = defineHashChain<Seal, { id: number; hash: Uint8Array }>({
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
  hasContiguousIds: true,
  isGrowing: true,
});

/** Replaces deleted seals. `kept` and digest cover the entries that retention keeps as evidence. */
export interface RetentionStub {
  id: number;
  hash: Uint8Array;
  kept: number;
  digest: Uint8Array;
}
export const stubMac = createMac<RetentionStub>(KEY_PURPOSE, ({ id, hash, kept, digest }) => [
  "stub",
  id,
  toHex(hash),
  kept,
  toHex(digest),
]);

export function extendEvidenceDigest(digestSoFar: Uint8Array, rowHash: Uint8Array): Buffer<ArrayBuffer> {
  return createHash("sha256").update(digestSoFar).update(rowHash).digest();
}

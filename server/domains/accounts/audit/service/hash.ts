import { createHash } from "node:crypto";
import { hashChain, hexOf, macOver } from "@/server/infrastructure/chain";
import type { Seal, Sealable } from "../statements";

/** One key for all hashes; each canonical form starts with its kind. */
const PURPOSE = "audit";

/** Bytes of each half of the content hash: the facts' and the origin's. Either half may be erased. */
const HALF = 16;

// The id makes the hashes of equal facts or addresses differ.
const facts = macOver<Sealable>(
  PURPOSE,
  ({ id, details, before, after }) => ["facts", id, details, before, after],
  HALF,
);
const origin = macOver<Sealable>(PURPOSE, ({ id, ip, userAgent }) => ["origin", id, ip, userAgent], HALF);
const entry = macOver<Sealable & { contentHash: Uint8Array }>(PURPOSE, (row) => [
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
  hexOf(row.contentHash),
]);

/** Returns the hash of the erasable content and the hash of the whole row. */
export function hashesOf(row: Sealable) {
  const contentHash = Buffer.concat([facts.of(row), origin.of(row)]);
  return { contentHash, rowHash: entry.of({ ...row, contentHash }) };
}

/** Compares an entry with its hashes; `erased` if only erasable content is missing. */
export function stateOf(
  row: Sealable & { contentHash: Uint8Array | null; rowHash: Uint8Array | null },
): "whole" | "erased" | "altered" {
  const { contentHash, rowHash } = row;
  if (!contentHash || !rowHash || !entry.matches({ ...row, contentHash }, rowHash)) return "altered";
  const hasFacts = facts.matches(row, contentHash.subarray(0, HALF));
  const hasOrigin = origin.matches(row, contentHash.subarray(HALF));
  if (hasFacts && hasOrigin) return "whole";
  const noFacts = row.details === null && row.before === null && row.after === null;
  const noOrigin = row.ip === null && row.userAgent === null;
  return (hasFacts || noFacts) && (hasOrigin || noOrigin) ? "erased" : "altered";
}

/** Verified without a lock, while seals are added. */
export const sealChain = hashChain<Seal, { id: number; hash: Uint8Array }>({
  row: macOver(PURPOSE, ({ id, rows, firstId, lastId, digest, prevHash, at }) => [
    "seal",
    id,
    rows,
    firstId,
    lastId,
    hexOf(digest),
    hexOf(prevHash),
    at.toISOString(),
  ]),
  head: macOver(PURPOSE, ({ id, hash }) => ["head", id, hexOf(hash)]),
  isNumbered: true,
  isGrowing: true,
});

/** Replaces deleted seals: the last of them, and count and digest of entries kept as evidence. */
export interface RetentionStub {
  id: number;
  hash: Uint8Array;
  kept: number;
  digest: Uint8Array;
}
export const retentionStub = macOver<RetentionStub>(PURPOSE, ({ id, hash, kept, digest }) => [
  "stub",
  id,
  hexOf(hash),
  kept,
  hexOf(digest),
]);

export function keptDigest(before: Uint8Array, rowHash: Uint8Array): Buffer<ArrayBuffer> {
  return createHash("sha256").update(before).update(rowHash).digest();
}

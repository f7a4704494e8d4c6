import { createHash } from "node:crypto";
import { hashChain, hexOf, macOver } from "@/server/infrastructure/chain";
import type { Seal, Sealable } from "../statements";

/** One key for everything; each canonical form begins with its kind. */
const PURPOSE = "audit";

/** Bytes of the facts' hash and of the origin's, which together are the content's hash. */
const HALF = 16;

// Includes the entry's id, so that equal facts or addresses have different hashes.
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

/** Hash of what an erasure may empty, and hash of that and of what never changes. */
export function hashesOf(row: Sealable) {
  const contentHash = Buffer.concat([facts.of(row), origin.of(row)]);
  return { contentHash, rowHash: entry.of({ ...row, contentHash }) };
}

/** An entry's state by its hashes: `erased` when only content is missing. */
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

/** Seals may be made while the chain is verified, without a lock. */
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

/** Replaces the seals that retention deleted: the last of them, and the entries under them that were kept. */
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

/** Digest of kept entries, with one more; the first follows an empty one. */
export function keptDigest(before: Uint8Array, rowHash: Uint8Array): Buffer<ArrayBuffer> {
  return createHash("sha256").update(before).update(rowHash).digest();
}

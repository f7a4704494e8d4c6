import { createHash, createHmac } from "node:crypto";
import { derivedKey, derivedKeys } from "@/server/infrastructure/secrets/derive";
import { sameBytes } from "@/server/infrastructure/secrets/tokens";
import type { Seal, Sealable } from "../statements";

/** One key for all; what is hashed begins with what it is. */
const PURPOSE = "audit";
type Bytes = Buffer<ArrayBuffer>;

function mac(content: unknown[], key = derivedKey(PURPOSE)): Bytes {
  return createHmac("sha256", key).update(JSON.stringify(content)).digest();
}

/** Whether we made a hash of this content, under the current secret or a former one. */
function isOurs(content: unknown[], hash: Uint8Array): boolean {
  return derivedKeys(PURPOSE).some((key) => sameBytes(mac(content, key).subarray(0, hash.length), hash));
}

/** Bytes of each half of a content's hash. */
const HALF = 16;

// With the entry's number: the same facts, or the same address, must not look the same twice.
const factsOf = ({ id, details, before, after }: Sealable) => ["facts", id, details, before, after];
const originOf = ({ id, ip, userAgent }: Sealable) => ["origin", id, ip, userAgent];
const fixedOf = (row: Sealable, content: Uint8Array) => [
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
  Buffer.from(content).toString("hex"),
];

/** Hash of what an erasure may empty: facts and origin, a half each. */
export function contentHashOf(row: Sealable): Bytes {
  return Buffer.concat([mac(factsOf(row)).subarray(0, HALF), mac(originOf(row)).subarray(0, HALF)]);
}

/** Hash of what never changes, and of the content's hash. */
export function rowHashOf(row: Sealable, content: Uint8Array): Bytes {
  return mac(fixedOf(row, content));
}

/** What an entry is by its hashes: `erased` when its content was emptied and nothing else touched. */
export function stateOf(
  row: Sealable & { contentHash: Uint8Array | null; rowHash: Uint8Array | null },
): "whole" | "erased" | "altered" {
  const { contentHash, rowHash } = row;
  if (!contentHash || !rowHash || !isOurs(fixedOf(row, contentHash), rowHash)) return "altered";
  const facts = isOurs(factsOf(row), contentHash.subarray(0, HALF));
  const origin = isOurs(originOf(row), contentHash.subarray(HALF));
  if (facts && origin) return "whole";
  const noFacts = row.details === null && row.before === null && row.after === null;
  const noOrigin = row.ip === null && row.userAgent === null;
  return (facts || noFacts) && (origin || noOrigin) ? "erased" : "altered";
}

type Unhashed = Omit<Seal, "hash">;
const sealed = (seal: Unhashed) => [
  "seal",
  seal.id,
  seal.rows,
  seal.firstId,
  seal.lastId,
  seal.digest.toString("hex"),
  seal.prevHash?.toString("hex") ?? null,
  seal.at.toISOString(),
];

export function sealHashOf(seal: Unhashed): Bytes {
  return mac(sealed(seal));
}

export function isOurSeal(seal: Seal): boolean {
  return isOurs(sealed(seal), seal.hash);
}

interface Head {
  sealId: number;
  hash: Uint8Array;
}
const headed = ({ sealId, hash }: Head) => ["head", sealId, Buffer.from(hash).toString("hex")];

export function headMacOf(head: Head): Bytes {
  return mac(headed(head));
}

export function isOurHead({ mac: given, ...head }: Head & { mac: Uint8Array }): boolean {
  return isOurs(headed(head), given);
}

/** The place of what was deleted: the last of those seals, and the entries under them that were kept. */
export interface Stub {
  sealId: number;
  hash: Uint8Array;
  kept: number;
  digest: Uint8Array;
}
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const stubbed = ({ sealId, hash, kept, digest }: Stub) => ["stub", sealId, hexOf(hash), kept, hexOf(digest)];

export function stubMacOf(stub: Stub): Bytes {
  return mac(stubbed(stub));
}

export function isOurStub({ mac: given, ...stub }: Stub & { mac: Uint8Array }): boolean {
  return isOurs(stubbed(stub), given);
}

/** The chain over entries that are kept, with one more; it begins empty. */
export function keptDigest(before: Uint8Array, rowHash: Uint8Array): Bytes {
  return createHash("sha256").update(before).update(rowHash).digest();
}

import { hkdfSync } from "node:crypto";
import { kept } from "@/server/core/kept";
import { appSecret, formerSecrets } from "./app-secret";

/** Keys by their purpose, each 32 bytes in hexadecimal. */
export type KeysByPurpose = Record<string, string>;

/** Kept keys of secrets that nobody sets any more, newest first. Both bundles of the server share them. */
const shared = globalThis as { tellalKeptKeys?: readonly KeysByPurpose[] };
const keys = kept(() => new Map<string, readonly [Buffer, ...Buffer[]]>());

/** Returns a key of 32 bytes for one purpose, derived from the application's secret. */
export function derivedKey(purpose: string): Buffer {
  return derivedKeys(purpose)[0];
}

/** The same, and after it those of former secrets, the oldest last: for what was written under them. */
export function derivedKeys(purpose: string): readonly [Buffer, ...Buffer[]] {
  let found = keys().get(purpose);
  if (!found) {
    const former = formerSecrets().map((secret) => keyOf(secret, purpose));
    const kept = (shared.tellalKeptKeys ?? []).flatMap((each) => Buffer.from(each[purpose] ?? "", "hex"));
    found = [keyOf(appSecret(), purpose), ...former, ...kept.filter(({ length }) => length > 0)];
    keys().set(purpose, found);
  }
  return found;
}

/** Returns the key of one secret. */
export function keyOf(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
}

/** Adds keys of former secrets that the database keeps. */
export function keepKeys(kept: readonly KeysByPurpose[]): void {
  shared.tellalKeptKeys = kept;
  keys().clear();
}

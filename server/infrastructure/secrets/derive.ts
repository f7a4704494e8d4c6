import { hkdfSync } from "node:crypto";
import { lazyValue } from "@/server/core/lazy-value";
import { appSecret, formerSecrets } from "./app-secret";

/** Keys by purpose, 32 bytes each in hexadecimal. */
export type KeysByPurpose = Record<string, string>;

/** Stored keys of secrets that are no longer configured, newest first; shared by both bundles. */
const shared = globalThis as { tellalKeptKeys?: readonly KeysByPurpose[] };
const keys = lazyValue(() => new Map<string, readonly [Buffer, ...Buffer[]]>());

/** Derives a 32-byte key for a purpose from APP_SECRET. */
export function derivedKey(purpose: string): Buffer {
  return derivedKeys(purpose)[0];
}

/** Returns the current key of a purpose and those of former secrets, newest first, for reading. */
export function derivedKeys(purpose: string): readonly [Buffer, ...Buffer[]] {
  let derived = keys().get(purpose);
  if (!derived) {
    const former = formerSecrets().map((secret) => keyOf(secret, purpose));
    const stored = (shared.tellalKeptKeys ?? []).flatMap((each) => Buffer.from(each[purpose] ?? "", "hex"));
    derived = [keyOf(appSecret(), purpose), ...former, ...stored.filter(({ length }) => length > 0)];
    keys().set(purpose, derived);
  }
  return derived;
}

export function keyOf(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
}

export function addStoredKeys(stored: readonly KeysByPurpose[]): void {
  shared.tellalKeptKeys = stored;
  keys().clear();
}

import { hkdfSync } from "node:crypto";
import { lazyValue } from "@/server/core/lazy-value";
import { getAppSecret, getFormerSecrets } from "./app-secret";

/** Keys by purpose, 32 bytes each in hexadecimal. */
export type KeysByPurpose = Record<string, string>;

/** Stored keys of secrets that are no longer configured, newest first; shared by both bundles. */
const globals = globalThis as { tellalKeptKeys?: readonly KeysByPurpose[] };
const keyCache = lazyValue(() => new Map<string, readonly [Buffer, ...Buffer[]]>());

/** Derives a 32-byte key for a purpose from APP_SECRET. */
export function deriveKey(purpose: string): Buffer {
  return deriveKeys(purpose)[0];
}

/** Returns the current key of a purpose and those of former secrets, newest first, for reading. */
export function deriveKeys(purpose: string): readonly [Buffer, ...Buffer[]] {
  let keysForPurpose = keyCache().get(purpose);
  if (!keysForPurpose) {
    const formerKeys = getFormerSecrets().map((secret) => deriveKeyFrom(secret, purpose));
    const storedKeys = (globals.tellalKeptKeys ?? []).flatMap((keysByPurpose) =>
      Buffer.from(keysByPurpose[purpose] ?? "", "hex"),
    );
    keysForPurpose = [
      deriveKeyFrom(getAppSecret(), purpose),
      ...formerKeys,
      ...storedKeys.filter(({ length }) => length > 0),
    ];
    keyCache().set(purpose, keysForPurpose);
  }
  return keysForPurpose;
}

export function deriveKeyFrom(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
}

export function setStoredKeys(storedKeys: readonly KeysByPurpose[]): void {
  globals.tellalKeptKeys = storedKeys;
  keyCache().clear();
}

import { hkdfSync } from "node:crypto";
import { appSecret } from "./app-secret";

const keys = new Map<string, Buffer>();

/** A key of 32 bytes for one purpose; all of them come from the application's one secret. */
export function derivedKey(purpose: string): Buffer {
  let key = keys.get(purpose);
  if (!key) {
    key = Buffer.from(hkdfSync("sha256", appSecret(), "", purpose, 32));
    keys.set(purpose, key);
  }
  return key;
}

import { hkdfSync } from "node:crypto";
import { appSecret } from "./app-secret";

const keys = new Map<string, Buffer>();

/** Returns a key of 32 bytes for one purpose, derived from the application's secret. */
export function derivedKey(purpose: string): Buffer {
  let key = keys.get(purpose);
  if (!key) {
    key = Buffer.from(hkdfSync("sha256", appSecret(), "", purpose, 32));
    keys.set(purpose, key);
  }
  return key;
}

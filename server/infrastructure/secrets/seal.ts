import { createCipheriv, createDecipheriv } from "node:crypto";
import { derivedKey, derivedKeys } from "./derive";
import { randomByte } from "./random";

const NONCE = 12;
const TAG = 16;

/** Encrypts a text for storage (AES-256-GCM). Only the same `purpose` can decrypt it. */
export function seal(text: string, purpose: string): Uint8Array<ArrayBuffer> {
  const nonce = Uint8Array.from({ length: NONCE }, randomByte);
  const cipher = createCipheriv("aes-256-gcm", derivedKey(`seal:${purpose}`), nonce);
  const body = cipher.update(text, "utf8");
  // Returns no data in GCM.
  cipher.final();
  const sealed = new Uint8Array(NONCE + TAG + body.length);
  sealed.set(nonce);
  sealed.set(cipher.getAuthTag(), NONCE);
  sealed.set(body, NONCE + TAG);
  return sealed;
}

/** Decrypts a value of {@link seal}. Throws if it was altered or its secret is not configured. */
export function unseal(sealed: Uint8Array, purpose: string): string {
  return opened(sealed, purpose).text;
}

/** Re-encrypts a value of a former secret; undefined if it uses the current one. */
export function reseal(sealed: Uint8Array, purpose: string): Uint8Array<ArrayBuffer> | undefined {
  const { text, former } = opened(sealed, purpose);
  return former ? seal(text, purpose) : undefined;
}

function opened(sealed: Uint8Array, purpose: string): { text: string; former: boolean } {
  const bytes = Buffer.from(sealed);
  const keys = derivedKeys(`seal:${purpose}`);
  for (const [index, key] of keys.entries()) {
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE));
      decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      const text = decipher.update(bytes.subarray(NONCE + TAG), undefined, "utf8") + decipher.final("utf8");
      return { text, former: index > 0 };
    } catch (error) {
      if (index === keys.length - 1) throw error;
    }
  }
  throw new Error("there is no key");
}

/** Encrypts a value for a job's payload: personal data must not be readable in the queue. */
export function sealPayload(value: unknown, purpose: string): string {
  return Buffer.from(seal(JSON.stringify(value), purpose)).toString("base64");
}

export function unsealPayload<T>(sealed: string, purpose: string): T {
  return JSON.parse(unseal(Buffer.from(sealed, "base64"), purpose)) as T;
}

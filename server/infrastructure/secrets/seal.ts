import { createCipheriv, createDecipheriv } from "node:crypto";
import { deriveKey, deriveKeys } from "./derive";
import { randomByte } from "./random";

/* Encryption of stored values. Not related to the seals of the audit log. */

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text for storage (AES-256-GCM). Only the same `purpose` can decrypt it. */
export function seal(text: string, purpose: string): Uint8Array<ArrayBuffer> {
  const nonce = Uint8Array.from({ length: NONCE_BYTES }, randomByte);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(`seal:${purpose}`), nonce);
  const ciphertext = cipher.update(text, "utf8");
  // Returns no data in GCM.
  cipher.final();
  const sealed = new Uint8Array(NONCE_BYTES + TAG_BYTES + ciphertext.length);
  sealed.set(nonce);
  sealed.set(cipher.getAuthTag(), NONCE_BYTES);
  sealed.set(ciphertext, NONCE_BYTES + TAG_BYTES);
  return sealed;
}

/** Decrypts a value of {@link seal}. Throws if it was altered or its secret is not configured. */
export function unseal(sealed: Uint8Array, purpose: string): string {
  return decrypt(sealed, purpose).text;
}

/** Re-encrypts a value of a former secret; undefined if it uses the current one. */
export function reseal(sealed: Uint8Array, purpose: string): Uint8Array<ArrayBuffer> | undefined {
  const { text, isFormerKey } = decrypt(sealed, purpose);
  return isFormerKey ? seal(text, purpose) : undefined;
}

function decrypt(sealed: Uint8Array, purpose: string): { text: string; isFormerKey: boolean } {
  const bytes = Buffer.from(sealed);
  const keys = deriveKeys(`seal:${purpose}`);
  for (const [index, key] of keys.entries()) {
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text =
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      return { text, isFormerKey: index > 0 };
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

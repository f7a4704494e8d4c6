import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { derivedKey } from "./derive";

const NONCE = 12;
const TAG = 16;

/** Encrypts a text for storage (AES-256-GCM). `purpose` binds it: a seal opens only for the same purpose. */
export function seal(text: string, purpose: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", derivedKey(`seal:${purpose}`), nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Uint8Array.from(Buffer.concat([nonce, cipher.getAuthTag(), body]));
}

/** Opens what {@link seal} closed. Throws when it was changed or sealed under another secret. */
export function unseal(sealed: Uint8Array, purpose: string): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv("aes-256-gcm", derivedKey(`seal:${purpose}`), bytes.subarray(0, NONCE));
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  return decipher.update(bytes.subarray(NONCE + TAG), undefined, "utf8") + decipher.final("utf8");
}

/** A sealed value as text, for a job's payload: what names a person does not lie open in the queue. */
export function sealPayload(value: unknown, purpose: string): string {
  return Buffer.from(seal(JSON.stringify(value), purpose)).toString("base64");
}

/** Opens what {@link sealPayload} closed. */
export function unsealPayload<T>(sealed: string, purpose: string): T {
  return JSON.parse(unseal(Buffer.from(sealed, "base64"), purpose)) as T;
}

import { createHmac, hash, randomInt, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { TokenPrefix } from "@/server/core/domain";
import { deriveKeys } from "./derive";
import { randomByte } from "./random";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** Returns random letters and digits, 5.95 bits each. Bytes from 248 are skipped to avoid modulo bias. */
export function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = randomByte();
    if (byte < 248) text += ALPHABET[byte % 62];
  }
  return text;
}

function computeChecksum(text: string): string {
  let remainder = crc32(text);
  let digits = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = ALPHABET[remainder % 62] + digits;
    remainder = Math.floor(remainder / 62);
  }
  return digits;
}

/** Returns prefix, 256 random bits as letters and digits, checksum. Store only its {@link hashSecret}. */
export function createToken(prefix: TokenPrefix): string {
  const body = `${prefix}_${randomText(RANDOM_LENGTH)}`;
  return body + computeChecksum(body);
}

/** Checks format and checksum, so that a typo is rejected without a query. */
export function isWellFormedToken(text: string, prefix: TokenPrefix): boolean {
  if (text.length !== prefix.length + 1 + RANDOM_LENGTH + CHECKSUM_LENGTH || !text.startsWith(`${prefix}_`))
    return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return /^[0-9A-Za-z]+$/.test(body.slice(4)) && computeChecksum(body) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns the SHA-256 of a high-entropy secret, for storage. */
export function hashSecret(secret: string): Buffer<ArrayBuffer> {
  return hash("sha256", secret, "buffer") as Buffer<ArrayBuffer>;
}

export function createSixDigitCode(): string {
  return randomInt(0, 1_000_000).toString().padStart(6, "0");
}

/**
 * Returns the HMAC of a short code, for storage. The key is not in the database. `context` makes equal
 * codes of different uses differ.
 */
export function hashCode(code: string, context: string): Buffer<ArrayBuffer> {
  return hashCodeUnderAllKeys(code, context)[0]!;
}

/**
 * Returns the digests under the current and all former secrets, current first. For codes that outlive a
 * change of the secret.
 */
export function hashCodeUnderAllKeys(code: string, context: string): Array<Buffer<ArrayBuffer>> {
  return deriveKeys("code").map((key) => createHmac("sha256", key).update(`${context}:${code}`).digest());
}

export function areBytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

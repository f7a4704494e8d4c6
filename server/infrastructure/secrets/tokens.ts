import { createHmac, hash, randomInt, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { TokenPrefix } from "@/server/core/domain";
import { derivedKeys } from "./derive";
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

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Returns prefix, 256 random bits as letters and digits, checksum. Store only its {@link digest}. */
export function newToken(prefix: TokenPrefix): string {
  const body = `${prefix}_${randomText(RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/** Checks format and checksum, so that a typo is rejected without a query. */
export function isToken(text: string, prefix: TokenPrefix): boolean {
  if (text.length !== prefix.length + 1 + RANDOM_LENGTH + CHECKSUM_LENGTH || !text.startsWith(`${prefix}_`))
    return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return /^[0-9A-Za-z]+$/.test(body.slice(4)) && checksum(body) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns the SHA-256 of a high-entropy secret, for storage. */
export function digest(secret: string): Buffer<ArrayBuffer> {
  return hash("sha256", secret, "buffer") as Buffer<ArrayBuffer>;
}

export function newCode(): string {
  return randomInt(0, 1_000_000).toString().padStart(6, "0");
}

/** Returns the HMAC of a short code for storage, under a key outside of the database and bound to its use. */
export function codeDigest(code: string, boundTo: string): Buffer<ArrayBuffer> {
  return codeDigests(code, boundTo)[0]!;
}

/** Like {@link codeDigest}, followed by the digests under former secrets: for long-lived codes. */
export function codeDigests(code: string, boundTo: string): Array<Buffer<ArrayBuffer>> {
  return derivedKeys("code").map((key) => createHmac("sha256", key).update(`${boundTo}:${code}`).digest());
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { open } from "node:fs/promises";
import { OperatorError, toOperatorError } from "@/server/core/operator-error";
import { deriveKeys } from "@/server/infrastructure/secrets/derive";

/*
 * Backup file: a header of 80 bytes (format name, salt, key check), then chunks of AES-256-GCM. The nonce is
 * the chunk number and a last-chunk flag, so truncated, reordered or altered files fail to open.
 */
const FORMAT_NAME = Buffer.from("tellal backup 1\n");
const SALT_BYTES = 32;
const KEY_CHECK_BYTES = 32;
const HEADER_BYTES = FORMAT_NAME.length + SALT_BYTES + KEY_CHECK_BYTES;
const CHUNK_BYTES = 262_144;
const TAG_BYTES = 16;

/** The file is not a valid backup or cannot be restored. The message is for the operator. */
export class ArchiveError extends OperatorError {
  override name = "ArchiveError";
}

function deriveFileKeys(secretKey: Buffer, salt: Buffer) {
  const keyMaterial = Buffer.from(hkdfSync("sha256", secretKey, salt, "archive", 64));
  const keyCheck = createHmac("sha256", keyMaterial.subarray(32)).update(FORMAT_NAME).update(salt).digest();
  return { key: keyMaterial.subarray(0, 32), keyCheck };
}

function buildNonce(chunkNumber: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(chunkNumber));
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Encrypts content under APP_SECRET, with one chunk in memory at a time. */
export async function* sealStream(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const { key, keyCheck } = deriveFileKeys(deriveKeys("backup")[0], salt);
  let chunkNumber = 0;
  const encryptChunk = (chunk: Buffer, isLast: boolean) => {
    const cipher = createCipheriv("aes-256-gcm", key, buildNonce(chunkNumber++, isLast));
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  };
  yield Buffer.concat([FORMAT_NAME, salt, keyCheck]);
  const chunkBuffer = Buffer.alloc(CHUNK_BYTES);
  let filledBytes = 0;
  for await (const bytes of content)
    for (let offset = 0; offset < bytes.length; ) {
      // Only now: a full chunk may be the last one.
      if (filledBytes === CHUNK_BYTES) {
        yield encryptChunk(chunkBuffer, false);
        filledBytes = 0;
      }
      const slice = bytes.subarray(offset, offset + CHUNK_BYTES - filledBytes);
      chunkBuffer.set(slice, filledBytes);
      filledBytes += slice.length;
      offset += slice.length;
    }
  yield encryptChunk(chunkBuffer.subarray(0, filledBytes), true);
}

/** Decrypts a file of {@link sealStream} by chunks. Throws {@link ArchiveError} where the file is damaged. */
export async function* openSealedFile(path: string): AsyncGenerator<Buffer> {
  const file = await open(path).catch((error: unknown) => {
    throw toOperatorError(error, path, "read");
  });
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw new ArchiveError(`${path} is a folder; name a file.`);
    const { size } = stats;
    const header = Buffer.alloc(HEADER_BYTES);
    await file.read(header, 0, HEADER_BYTES, 0);
    if (!header.subarray(0, FORMAT_NAME.length).equals(FORMAT_NAME))
      throw new ArchiveError(`${path} is not a backup.`);
    const key = findFileKey(header);
    if (!key)
      throw new ArchiveError(
        `${path} was made under another APP_SECRET than this one, or its beginning was altered. Nothing was changed.`,
      );
    let offset = HEADER_BYTES;
    for (let chunkNumber = 0; ; chunkNumber++) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES + TAG_BYTES, size - offset));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, offset);
      offset += bytesRead;
      const isLast = offset >= size;
      yield decryptChunk(path, chunk.subarray(0, bytesRead), key, buildNonce(chunkNumber, isLast));
      if (isLast) return;
    }
  } finally {
    await file.close();
  }
}

function findFileKey(header: Buffer): Buffer | undefined {
  const salt = header.subarray(FORMAT_NAME.length, FORMAT_NAME.length + SALT_BYTES);
  const storedKeyCheck = header.subarray(FORMAT_NAME.length + SALT_BYTES);
  return deriveKeys("backup")
    .map((secretKey) => deriveFileKeys(secretKey, salt))
    .find(({ keyCheck }) => timingSafeEqual(keyCheck, storedKeyCheck))?.key;
}

function decryptChunk(path: string, chunk: Buffer, key: Buffer, nonce: Buffer): Buffer {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(chunk.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new ArchiveError(`${path} was cut off or altered. Nothing was changed.`);
  }
}

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { open } from "node:fs/promises";
import { OperatorError, pathError } from "@/server/core/operator-error";
import { derivedKeys } from "@/server/infrastructure/secrets/derive";

/*
 * Backup file: a header of 80 bytes (format name, salt, key check), then chunks of AES-256-GCM under a key
 * derived from APP_SECRET and the salt. The nonce is the chunk number and a last-chunk flag, so truncated,
 * reordered or altered files fail to open. Node's cipher, because JavaScript libraries reach less than a
 * twentieth of its speed.
 */
const FORMAT = Buffer.from("tellal backup 1\n");
const SALT = 32;
const PROOF = 32;
const HEAD = FORMAT.length + SALT + PROOF;
const PIECE = 262_144;
const TAG = 16;

/** The file is not a valid backup or cannot be restored. The message is for the operator. */
export class ArchiveError extends OperatorError {
  override name = "ArchiveError";
}

function keysOf(secretKey: Buffer, salt: Buffer) {
  const both = Buffer.from(hkdfSync("sha256", secretKey, salt, "archive", 64));
  const proof = createHmac("sha256", both.subarray(32)).update(FORMAT).update(salt).digest();
  return { key: both.subarray(0, 32), proof };
}

function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number));
  nonce[11] = last ? 1 : 0;
  return nonce;
}

/** Encrypts content under APP_SECRET, with one chunk in memory at a time. */
export async function* sealStream(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT);
  const { key, proof } = keysOf(derivedKeys("backup")[0], salt);
  let number = 0;
  const seal = (piece: Buffer, last: boolean) => {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(number++, last));
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  };
  yield Buffer.concat([FORMAT, salt, proof]);
  const piece = Buffer.alloc(PIECE);
  let filled = 0;
  for await (const chunk of content)
    for (let at = 0; at < chunk.length; ) {
      // Only now: a full chunk may be the last one.
      if (filled === PIECE) {
        yield seal(piece, false);
        filled = 0;
      }
      const part = chunk.subarray(at, at + PIECE - filled);
      piece.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  yield seal(piece.subarray(0, filled), true);
}

/**
 * Decrypts a file of {@link sealStream} chunk by chunk, each in its own buffer. Throws {@link ArchiveError} at
 * the start for another format or secret, and later where the file was truncated or altered.
 */
export async function* openSealedFile(path: string): AsyncGenerator<Buffer> {
  const file = await open(path).catch((error: unknown) => {
    throw pathError(error, path, "read");
  });
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw new ArchiveError(`${path} is a folder; name a file.`);
    const { size } = stats;
    const head = Buffer.alloc(HEAD);
    await file.read(head, 0, HEAD, 0);
    if (!head.subarray(0, FORMAT.length).equals(FORMAT)) throw new ArchiveError(`${path} is not a backup.`);
    const key = keyFor(head);
    if (!key)
      throw new ArchiveError(
        `${path} was made under another APP_SECRET than this one, or its beginning was altered. Nothing was changed.`,
      );
    let at = HEAD;
    for (let number = 0; ; number++) {
      const piece = Buffer.alloc(Math.min(PIECE + TAG, size - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      at += bytesRead;
      const last = at >= size;
      yield unsealed(path, piece.subarray(0, bytesRead), key, nonceOf(number, last));
      if (last) return;
    }
  } finally {
    await file.close();
  }
}

/** Returns the key of the current or former secret that the file was encrypted under. */
function keyFor(head: Buffer): Buffer | undefined {
  const salt = head.subarray(FORMAT.length, FORMAT.length + SALT);
  const stored = head.subarray(FORMAT.length + SALT);
  return derivedKeys("backup")
    .map((each) => keysOf(each, salt))
    .find(({ proof }) => timingSafeEqual(proof, stored))?.key;
}

function unsealed(path: string, piece: Buffer, key: Buffer, nonce: Buffer): Buffer {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG });
    decipher.setAuthTag(piece.subarray(-TAG));
    return Buffer.concat([decipher.update(piece.subarray(0, -TAG)), decipher.final()]);
  } catch {
    throw new ArchiveError(`${path} was cut off or altered. Nothing was changed.`);
  }
}

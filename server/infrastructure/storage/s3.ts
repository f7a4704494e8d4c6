import { open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { S3mini, type UploadPart } from "s3mini";
import { Agent, request } from "undici";
import { env } from "@/server/core/env";
import { kept } from "@/server/core/kept";
import { SECOND } from "@/server/core/time";
import { limitConcurrency } from "@/server/infrastructure/concurrency";
import { tellTrace, traced } from "@/server/infrastructure/tracing/trace";
import { checkedFolder, checkedKey, type Driver, isKey, KEPT_FOLDERS, StorageError } from "./driver";

/** Bytes that are sent at once; a larger file goes in several parts and becomes one at the end. */
const PART = 8 * 1024 * 1024;
/** Large files that are sent at once. Each holds a part in memory. */
const inTurn = limitConcurrency({ running: 4, waiting: 1000 });
/** Milliseconds before the second and the third try of a call. */
const PAUSES = [200, 1000];
/** Times that an interrupted download resumes where it ended. */
const CUTS = 2;
/** Files of one call when all are listed. */
const PAGE = 1000;
/** Status of a call that the bucket does not support. */
const NOT_IMPLEMENTED = 501;

const bucket = kept(() => {
  const { timeout, address, ...keys } = env().s3!;
  const dispatcher = new Agent({
    connect: { timeout: Math.min(timeout, 5 * SECOND) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  return new S3mini({ ...keys, endpoint: address, fetch: fetchOver(dispatcher) });
});

/**
 * What `fetch` does for a signed call, without a copy of the body. No redirect is followed: it would take the call
 * elsewhere, and is a wrong setting.
 */
function fetchOver(dispatcher: Agent): NonNullable<ConstructorParameters<typeof S3mini>[0]["fetch"]> {
  return async (url, init) => {
    const { method, headers, body } = init as {
      method: "GET";
      headers: Record<string, string>;
      body?: Buffer;
    };
    // Only the headers: the caller streams the body.
    const { host } = new URL(String(url));
    const facts = { "server.address": host, "http.request.method": method };
    const answer = await traced({ name: `${method} ${host}`, kind: "client", facts }, async () => {
      const head = await request(String(url), { method, headers, body, dispatcher });
      tellTrace(`${method} ${host}`, { "http.response.status_code": head.statusCode });
      return head;
    });
    const told = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const about = { status: answer.statusCode, headers: told };
    if ((method as string) !== "HEAD" && answer.statusCode !== 204)
      return new Response(ReadableStream.from(answer.body) as BodyInit, about);
    await answer.body.dump();
    return new Response(null, about);
  };
}

/** A field of an error, or of what caused it; the texts of a bucket name keys and are left out. */
function fieldOf(error: unknown, name: "status" | "serviceCode" | "code", depth = 4): unknown {
  if (typeof error !== "object" || error === null || depth === 0) return undefined;
  return (error as Record<string, unknown>)[name] ?? fieldOf((error as Error).cause, name, depth - 1);
}

const statusOf = (error: unknown) => fieldOf(error, "status") as number | undefined;

function failureOf(error: unknown): Error {
  if (error instanceof StorageError) return error;
  const status = statusOf(error);
  if (status === undefined) {
    const reason = fieldOf(error, "code") ?? "no reason known";
    return new StorageError(`The bucket does not answer: ${reason}`, false);
  }
  const reason = fieldOf(error, "serviceCode") ?? "no reason given";
  return new StorageError(`The bucket answers ${status}: ${reason}`, status < 500 && status !== 429);
}

/** Retries what was busy or broke off, but no timeout: it has used up the time of the call. */
function maySucceed(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return (status >= 500 && status !== NOT_IMPLEMENTED) || status === 429;
  return !String(fieldOf(error, "code")).includes("TIMEOUT");
}

/** Makes a call that may be repeated, up to three times. Throws {@link StorageError}. */
async function attempt<T>(call: (files: S3mini) => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await call(bucket());
    } catch (error) {
      if (!maySucceed(error)) throw failureOf(error);
      await sleep(pause);
    }
  }
  return call(bucket()).catch((error) => {
    throw failureOf(error);
  });
}

/** Bytes of a file; undefined when there is none. */
function sizeOf(key: string): Promise<number | undefined> {
  return attempt((files) =>
    files.getContentLength(key).catch((error) => {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }),
  );
}

/** A part that has been sent may be overwritten by the next. */
type Parts = AsyncGenerator<{ bytes: Buffer; isLast: boolean }>;

/** Parts of a file of this machine: one at a time is in memory. */
async function* partsOfFile(path: string): Parts {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const memory = Buffer.allocUnsafe(Math.min(size, PART));
    for (let at = 0, isLast = false; !isLast; at += PART) {
      const length = Math.min(PART, size - at);
      isLast = at + length === size;
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(memory, filled, length - filled, at + filled);
        if (bytesRead === 0) throw new Error(`${path} became shorter`);
        filled += bytesRead;
      }
      yield { bytes: memory.subarray(0, length), isLast };
    }
  } finally {
    await file.close();
  }
}

async function* partsOf(content: AsyncIterable<Uint8Array>): Parts {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= PART) continue;
    const all = Buffer.concat(chunks);
    let at = 0;
    for (; length - at > PART; at += PART) yield { bytes: all.subarray(at, at + PART), isLast: false };
    chunks = [all.subarray(at)];
    length -= at;
  }
  yield { bytes: Buffer.concat(chunks), isLast: true };
}

/** Sends a file: at once, or in parts that are nothing before the last call. */
async function send(key: string, content: Parts): Promise<number> {
  const parts: UploadPart[] = [];
  let upload: string | undefined;
  let size = 0;
  try {
    for await (const { bytes, isLast } of content) {
      size += bytes.length;
      if (isLast && !upload) {
        await attempt((files) => files.putObject(key, bytes));
        return size;
      }
      upload ??= await attempt((files) => files.getMultipartUploadId(key));
      const place = [upload, bytes, parts.length + 1] as const;
      parts.push(await attempt((files) => files.uploadPart(key, ...place)));
    }
    await complete(key, upload!, { parts, size });
    return size;
  } catch (error) {
    // Report the first error; a job removes parts that stay.
    if (upload)
      await bucket()
        .abortMultipartUpload(key, upload)
        .catch(() => undefined);
    throw error;
  }
}

async function complete(
  key: string,
  upload: string,
  { parts, size }: { parts: UploadPart[]; size: number },
): Promise<void> {
  await attempt(async (files) => {
    const done = await files.completeMultipartUpload(key, upload, parts).catch(async (error) => {
      // When only the response was lost, the file exists and the upload does not.
      if (statusOf(error) === 404 && (await sizeOf(key)) === size) return { etag: "known" };
      throw error;
    });
    // A failure after the first byte of the response has status 200, and buckets word it differently.
    if (!done.etag && (await sizeOf(key)) !== size)
      throw new StorageError("The bucket did not join the parts", false);
  });
}

async function* contentOf(key: string, { start, end }: { start: number; end: number }) {
  let at = start;
  for (let cuts = 0; at <= end; cuts++) {
    const answer = await attempt((files) => files.getObjectRaw(key, false, at, end + 1));
    // Some send the whole file instead of its first byte, as that part.
    const isPart = answer.headers.get("content-range")?.startsWith(`bytes ${at}-${end}/`);
    if (answer.status !== 206 || !isPart || !answer.body) {
      await answer.body?.cancel();
      throw new StorageError("The bucket does not send ranges", true);
    }
    try {
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
        at += chunk.length;
        yield chunk;
      }
    } catch (error) {
      if (cuts === CUTS || !maySucceed(error)) throw failureOf(error);
      continue;
    }
    if (at <= end && cuts === CUTS) throw new StorageError("The bucket cut a file off", false);
  }
}

/** Files in a bucket of S3 or of what speaks like it, under their keys. Nobody but us has to be let in. */
export const s3Storage: Driver = {
  write: (key, content) => send(checkedKey(key), partsOf(content)),

  async adopt(key, path) {
    checkedKey(key);
    await inTurn(() => send(key, partsOfFile(path)));
    await rm(path);
  },

  async read(key) {
    const size = await sizeOf(checkedKey(key));
    if (size === undefined) return undefined;
    const whole = { start: 0, end: size - 1 };
    return {
      size,
      open: (range = whole) => Readable.from(contentOf(key, range), { objectMode: false }),
    };
  },

  async remove(key) {
    checkedKey(key);
    await attempt((files) =>
      files.deleteObject(key).catch((error) => {
        if (statusOf(error) !== 404) throw error;
      }),
    );
  },

  async list(folder) {
    const prefix = `${checkedFolder(folder)}/`;
    const found = await attempt((files) => files.listObjects("/", prefix, undefined, { delimiter: "/" }));
    if (!found) throw new StorageError("There is no such bucket", true);
    return found
      .filter(({ Key }) => isKey(Key))
      .map(({ Key, LastModified }) => ({ key: Key, changedAt: LastModified }));
  },

  async *all() {
    for (const folder of KEPT_FOLDERS)
      for (let token: string | undefined, first = true; first || token; first = false) {
        const page = await attempt((files) => files.listObjectsPaged("/", `${folder}/`, PAGE, token));
        if (!page) throw new StorageError("There is no such bucket", true);
        for (const { Key, LastModified } of page.objects ?? [])
          if (isKey(Key)) yield { key: Key, changedAt: LastModified };
        token = page.nextContinuationToken;
      }
  },

  async sweepUnfinished(before) {
    // Where they cannot be listed, the bucket's own rule removes them.
    const list = (files: S3mini) =>
      files.listMultipartUploads().catch((error) => {
        if (statusOf(error) !== NOT_IMPLEMENTED) throw error;
        return {};
      });
    const answer = (await attempt(list)) as {
      ListMultipartUploadsResult?: { Upload?: Unfinished | Unfinished[] };
    };
    for (const each of [answer.ListMultipartUploadsResult?.Upload ?? []].flat()) {
      if (!isKey(each.Key) || !(new Date(each.Initiated) < before)) continue;
      await attempt((files) =>
        files.abortMultipartUpload(each.Key, each.UploadId).catch((error) => {
          if (statusOf(error) !== 404) throw error;
        }),
      );
    }
  },

  async check() {
    const found = await bucket()
      .listObjects("/", "", 1)
      .catch((error) => {
        throw failureOf(error);
      });
    if (!found) throw new StorageError("There is no such bucket", true);
  },

  place: async () => `bucket ${env().s3!.address}`,
};

interface Unfinished {
  Key: string;
  UploadId: string;
  Initiated: string;
}

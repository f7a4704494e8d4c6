import { open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { S3mini, type UploadPart } from "s3mini";
import { Agent, request } from "undici";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { SECOND } from "@/server/core/time";
import { limitConcurrency } from "@/server/infrastructure/concurrency";
import { updateSpan, withSpan } from "@/server/infrastructure/tracing/trace";
import { BACKED_UP_FOLDERS, type Driver, isKey, requireFolder, requireKey, StorageError } from "./driver";

/** Larger files use a multipart upload with parts of this size. */
const PART = 8 * 1024 * 1024;
/** Limits memory: each upload of a large file buffers a part. */
const queued = limitConcurrency({ running: 4, waiting: 1000 });
/** Milliseconds before each retry. */
const PAUSES = [200, 1000];
/** Maximum resumptions of an interrupted download. */
const CUTS = 2;
const PAGE = 1000;
const NOT_IMPLEMENTED = 501;

const bucket = lazyValue(() => {
  const { timeout, address, ...keys } = env().s3!;
  const dispatcher = new Agent({
    connect: { timeout: Math.min(timeout, 5 * SECOND) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  return new S3mini({ ...keys, endpoint: address, fetch: fetchOver(dispatcher) });
});

/** Replaces `fetch` without copying the body. Follows no redirects: they indicate a wrong S3_ENDPOINT. */
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
    const response = await withSpan(
      { name: `${method} ${host}`, kind: "client", attributes: facts },
      async () => {
        const head = await request(String(url), { method, headers, body, dispatcher });
        updateSpan(`${method} ${host}`, { "http.response.status_code": head.statusCode });
        return head;
      },
    );
    const responseHeaders = Object.entries(response.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const options = { status: response.statusCode, headers: responseHeaders };
    if ((method as string) !== "HEAD" && response.statusCode !== 204)
      return new Response(ReadableStream.from(response.body) as BodyInit, options);
    await response.body.dump();
    return new Response(null, options);
  };
}

/** Returns a field of an error or its causes. Messages are not used, because they contain keys. */
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

/** Tests whether a retry may succeed; not after a timeout, which has used up the time of the call. */
function maySucceed(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return (status >= 500 && status !== NOT_IMPLEMENTED) || status === 429;
  return !String(fieldOf(error, "code")).includes("TIMEOUT");
}

/** Makes an idempotent call with up to two retries. Throws {@link StorageError}. */
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

function sizeOf(key: string): Promise<number | undefined> {
  return attempt((files) =>
    files.getContentLength(key).catch((error) => {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }),
  );
}

/** The buffer of a part may be reused for the next one. */
type Parts = AsyncGenerator<{ bytes: Buffer; isLast: boolean }>;

/** Reads a local file part by part, with one part in memory. */
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

/** Uploads a file in one call or as a multipart upload, which is invisible until completed. */
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
      const args = [upload, bytes, parts.length + 1] as const;
      parts.push(await attempt((files) => files.uploadPart(key, ...args)));
    }
    await complete(key, upload!, { parts, size });
    return size;
  } catch (error) {
    // Report the first error; a job removes leftover parts.
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
      // If only the response was lost, the file exists and the upload does not.
      if (statusOf(error) === 404 && (await sizeOf(key)) === size) return { etag: "known" };
      throw error;
    });
    // A failure after the response has started has status 200, and its body differs between services.
    if (!done.etag && (await sizeOf(key)) !== size)
      throw new StorageError("The bucket did not join the parts", false);
  });
}

async function* contentOf(key: string, { start, end }: { start: number; end: number }) {
  let at = start;
  for (let cuts = 0; at <= end; cuts++) {
    const response = await attempt((files) => files.getObjectRaw(key, false, at, end + 1));
    // Some services send the whole file with status 206 for a range of one byte.
    const isPart = response.headers.get("content-range")?.startsWith(`bytes ${at}-${end}/`);
    if (response.status !== 206 || !isPart || !response.body) {
      await response.body?.cancel();
      throw new StorageError("The bucket does not send ranges", true);
    }
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
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

/** Files in a private bucket of an S3-compatible service. */
export const s3Storage: Driver = {
  write: (key, content) => send(requireKey(key), partsOf(content)),

  async adopt(key, path) {
    requireKey(key);
    await queued(() => send(key, partsOfFile(path)));
    await rm(path);
  },

  async read(key) {
    const size = await sizeOf(requireKey(key));
    if (size === undefined) return undefined;
    const whole = { start: 0, end: size - 1 };
    return {
      size,
      open: (range = whole) => Readable.from(contentOf(key, range), { objectMode: false }),
    };
  },

  async remove(key) {
    requireKey(key);
    await attempt((files) =>
      files.deleteObject(key).catch((error) => {
        if (statusOf(error) !== 404) throw error;
      }),
    );
  },

  async list(folder) {
    const prefix = `${requireFolder(folder)}/`;
    const objects = await attempt((files) => files.listObjects("/", prefix, undefined, { delimiter: "/" }));
    if (!objects) throw new StorageError("There is no such bucket", true);
    return objects
      .filter(({ Key }) => isKey(Key))
      .map(({ Key, LastModified }) => ({ key: Key, changedAt: LastModified }));
  },

  async *all() {
    for (const folder of BACKED_UP_FOLDERS)
      for (let token: string | undefined, first = true; first || token; first = false) {
        const page = await attempt((files) => files.listObjectsPaged("/", `${folder}/`, PAGE, token));
        if (!page) throw new StorageError("There is no such bucket", true);
        for (const { Key, LastModified } of page.objects ?? [])
          if (isKey(Key)) yield { key: Key, changedAt: LastModified };
        token = page.nextContinuationToken;
      }
  },

  async sweepUnfinished(before) {
    // If the service cannot list them, its lifecycle rule has to remove them.
    const list = (files: S3mini) =>
      files.listMultipartUploads().catch((error) => {
        if (statusOf(error) !== NOT_IMPLEMENTED) throw error;
        return {};
      });
    const response = (await attempt(list)) as {
      ListMultipartUploadsResult?: { Upload?: Unfinished | Unfinished[] };
    };
    for (const each of [response.ListMultipartUploadsResult?.Upload ?? []].flat()) {
      if (!isKey(each.Key) || !(new Date(each.Initiated) < before)) continue;
      await attempt((files) =>
        files.abortMultipartUpload(each.Key, each.UploadId).catch((error) => {
          if (statusOf(error) !== 404) throw error;
        }),
      );
    }
  },

  async check() {
    const objects = await bucket()
      .listObjects("/", "", 1)
      .catch((error) => {
        throw failureOf(error);
      });
    if (!objects) throw new StorageError("There is no such bucket", true);
  },

  storageId: async () => `bucket ${env().s3!.address}`,
};

interface Unfinished {
  Key: string;
  UploadId: string;
  Initiated: string;
}

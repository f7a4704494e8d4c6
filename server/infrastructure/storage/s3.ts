import { open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { S3mini, type UploadPart } from "s3mini";
import { Agent, request } from "undici";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { SECOND } from "@/server/core/time";
import { createTaskQueue } from "@/server/infrastructure/concurrency";
import { updateSpan, withSpan } from "@/server/infrastructure/tracing/trace";
import {
  BACKED_UP_FOLDERS,
  isStorageKey,
  requireStorageFolder,
  requireStorageKey,
  type StorageDriver,
  StorageError,
} from "./driver";

/** Larger files use a multipart upload with parts of this size. */
const PART_BYTES = 8 * 1024 * 1024;
/** Limits memory: each upload of a large file buffers a part. */
const limitUploads = createTaskQueue({ running: 4, waiting: 1000 });
const RETRY_DELAYS_MS = [200, 1000];
/** Maximum resumptions of an interrupted download. */
const MAX_RESUMPTIONS = 2;
const PAGE_SIZE = 1000;
const NOT_IMPLEMENTED = 501;

const getBucketClient = lazyValue(() => {
  const { timeout, address, ...keys } = env().s3!;
  const dispatcher = new Agent({
    connect: { timeout: Math.min(timeout, 5 * SECOND) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  return new S3mini({ ...keys, endpoint: address, fetch: createFetch(dispatcher) });
});

/** Replaces `fetch` without copying the body. Follows no redirects: they indicate a wrong S3_ENDPOINT. */
function createFetch(dispatcher: Agent): NonNullable<ConstructorParameters<typeof S3mini>[0]["fetch"]> {
  return async (url, init) => {
    const { method, headers, body } = init as {
      method: "GET";
      headers: Record<string, string>;
      body?: Buffer;
    };
    // Only the headers: the caller streams the body.
    const { host } = new URL(String(url));
    const attributes = { "server.address": host, "http.request.method": method };
    const response = await withSpan({ name: `${method} ${host}`, kind: "client", attributes }, async () => {
      const responseHead = await request(String(url), { method, headers, body, dispatcher });
      updateSpan(`${method} ${host}`, { "http.response.status_code": responseHead.statusCode });
      return responseHead;
    });
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
function findErrorField(error: unknown, name: "status" | "serviceCode" | "code", depth = 4): unknown {
  if (typeof error !== "object" || error === null || depth === 0) return undefined;
  return (error as Record<string, unknown>)[name] ?? findErrorField((error as Error).cause, name, depth - 1);
}

const getErrorStatus = (error: unknown) => findErrorField(error, "status") as number | undefined;

function toStorageError(error: unknown): Error {
  if (error instanceof StorageError) return error;
  const status = getErrorStatus(error);
  if (status === undefined) {
    const reason = findErrorField(error, "code") ?? "no reason known";
    return new StorageError(`The bucket does not answer: ${reason}`, false);
  }
  const reason = findErrorField(error, "serviceCode") ?? "no reason given";
  return new StorageError(`The bucket answers ${status}: ${reason}`, status < 500 && status !== 429);
}

/** Tests whether a retry may succeed; not after a timeout, which has used up the time of the call. */
function isRetryable(error: unknown): boolean {
  const status = getErrorStatus(error);
  if (status !== undefined) return (status >= 500 && status !== NOT_IMPLEMENTED) || status === 429;
  return !String(findErrorField(error, "code")).includes("TIMEOUT");
}

/** Makes an idempotent call with up to two retries. Throws {@link StorageError}. */
async function callWithRetries<T>(call: (client: S3mini) => Promise<T>): Promise<T> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await call(getBucketClient());
    } catch (error) {
      if (!isRetryable(error)) throw toStorageError(error);
      await sleep(delayMs);
    }
  }
  return call(getBucketClient()).catch((error) => {
    throw toStorageError(error);
  });
}

function readObjectSize(key: string): Promise<number | undefined> {
  return callWithRetries((client) =>
    client.getContentLength(key).catch((error) => {
      if (getErrorStatus(error) === 404) return undefined;
      throw error;
    }),
  );
}

/** The buffer of a part may be reused for the next one. */
type PartStream = AsyncGenerator<{ bytes: Buffer; isLast: boolean }>;

async function* readFileParts(path: string): PartStream {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.allocUnsafe(Math.min(size, PART_BYTES));
    for (let offset = 0, isLast = false; !isLast; offset += PART_BYTES) {
      const length = Math.min(PART_BYTES, size - offset);
      isLast = offset + length === size;
      let filledBytes = 0;
      while (filledBytes < length) {
        const { bytesRead } = await file.read(
          buffer,
          filledBytes,
          length - filledBytes,
          offset + filledBytes,
        );
        if (bytesRead === 0) throw new Error(`${path} became shorter`);
        filledBytes += bytesRead;
      }
      yield { bytes: buffer.subarray(0, length), isLast };
    }
  } finally {
    await file.close();
  }
}

async function* splitIntoParts(content: AsyncIterable<Uint8Array>): PartStream {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= PART_BYTES) continue;
    const buffer = Buffer.concat(chunks);
    let offset = 0;
    for (; length - offset > PART_BYTES; offset += PART_BYTES)
      yield { bytes: buffer.subarray(offset, offset + PART_BYTES), isLast: false };
    chunks = [buffer.subarray(offset)];
    length -= offset;
  }
  yield { bytes: Buffer.concat(chunks), isLast: true };
}

/** Uploads a file in one call or as a multipart upload, which is invisible until completed. */
async function uploadParts(key: string, content: PartStream): Promise<number> {
  const parts: UploadPart[] = [];
  let uploadId: string | undefined;
  let size = 0;
  try {
    for await (const { bytes, isLast } of content) {
      size += bytes.length;
      if (isLast && !uploadId) {
        await callWithRetries((client) => client.putObject(key, bytes));
        return size;
      }
      uploadId ??= await callWithRetries((client) => client.getMultipartUploadId(key));
      const partArgs = [uploadId, bytes, parts.length + 1] as const;
      parts.push(await callWithRetries((client) => client.uploadPart(key, ...partArgs)));
    }
    await completeUpload(key, uploadId!, { parts, size });
    return size;
  } catch (error) {
    // Report the first error; a job removes leftover parts.
    if (uploadId)
      await getBucketClient()
        .abortMultipartUpload(key, uploadId)
        .catch(() => undefined);
    throw error;
  }
}

async function completeUpload(
  key: string,
  uploadId: string,
  { parts, size }: { parts: UploadPart[]; size: number },
): Promise<void> {
  await callWithRetries(async (client) => {
    const result = await client.completeMultipartUpload(key, uploadId, parts).catch(async (error) => {
      // If only the response was lost, the file exists and the upload does not.
      if (getErrorStatus(error) === 404 && (await readObjectSize(key)) === size) return { etag: "known" };
      throw error;
    });
    // A failure after the response has started has status 200, and its body differs between services.
    if (!result.etag && (await readObjectSize(key)) !== size)
      throw new StorageError("The bucket did not join the parts", false);
  });
}

async function* readRange(key: string, { start, end }: { start: number; end: number }) {
  let offset = start;
  for (let resumptions = 0; offset <= end; resumptions++) {
    const response = await callWithRetries((client) => client.getObjectRaw(key, false, offset, end + 1));
    // Some services send the whole file with status 206 for a range of one byte.
    const isPart = response.headers.get("content-range")?.startsWith(`bytes ${offset}-${end}/`);
    if (response.status !== 206 || !isPart || !response.body) {
      await response.body?.cancel();
      throw new StorageError("The bucket does not send ranges", true);
    }
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        offset += chunk.length;
        yield chunk;
      }
    } catch (error) {
      if (resumptions === MAX_RESUMPTIONS || !isRetryable(error)) throw toStorageError(error);
      continue;
    }
    if (offset <= end && resumptions === MAX_RESUMPTIONS)
      throw new StorageError("The bucket cut a file off", false);
  }
}

/** Files in a private bucket of an S3-compatible service. */
export const s3Storage: StorageDriver = {
  write: (key, content) => uploadParts(requireStorageKey(key), splitIntoParts(content)),

  async moveIn(key, path) {
    requireStorageKey(key);
    await limitUploads(() => uploadParts(key, readFileParts(path)));
    await rm(path);
  },

  async read(key) {
    const size = await readObjectSize(requireStorageKey(key));
    if (size === undefined) return undefined;
    const fullRange = { start: 0, end: size - 1 };
    return {
      size,
      open: (range = fullRange) => Readable.from(readRange(key, range), { objectMode: false }),
    };
  },

  async remove(key) {
    requireStorageKey(key);
    await callWithRetries((client) =>
      client.deleteObject(key).catch((error) => {
        if (getErrorStatus(error) !== 404) throw error;
      }),
    );
  },

  async list(folder) {
    const prefix = `${requireStorageFolder(folder)}/`;
    const objects = await callWithRetries((client) =>
      client.listObjects("/", prefix, undefined, { delimiter: "/" }),
    );
    if (!objects) throw new StorageError("There is no such bucket", true);
    return objects
      .filter(({ Key }) => isStorageKey(Key))
      .map(({ Key, LastModified }) => ({ key: Key, changedAt: LastModified }));
  },

  async *listAll() {
    for (const folder of BACKED_UP_FOLDERS)
      for (
        let continuationToken: string | undefined, isFirstPage = true;
        isFirstPage || continuationToken;
        isFirstPage = false
      ) {
        const page = await callWithRetries((client) =>
          client.listObjectsPaged("/", `${folder}/`, PAGE_SIZE, continuationToken),
        );
        if (!page) throw new StorageError("There is no such bucket", true);
        for (const { Key, LastModified } of page.objects ?? [])
          if (isStorageKey(Key)) yield { key: Key, changedAt: LastModified };
        continuationToken = page.nextContinuationToken;
      }
  },

  async removeUnfinishedUploads(before) {
    // If the service cannot list them, its lifecycle rule has to remove them.
    const listUploads = (client: S3mini) =>
      client.listMultipartUploads().catch((error) => {
        if (getErrorStatus(error) !== NOT_IMPLEMENTED) throw error;
        return {};
      });
    const response = (await callWithRetries(listUploads)) as {
      ListMultipartUploadsResult?: { Upload?: UnfinishedUpload | UnfinishedUpload[] };
    };
    for (const upload of [response.ListMultipartUploadsResult?.Upload ?? []].flat()) {
      if (!isStorageKey(upload.Key) || !(new Date(upload.Initiated) < before)) continue;
      await callWithRetries((client) =>
        client.abortMultipartUpload(upload.Key, upload.UploadId).catch((error) => {
          if (getErrorStatus(error) !== 404) throw error;
        }),
      );
    }
  },

  async checkAccess() {
    const objects = await getBucketClient()
      .listObjects("/", "", 1)
      .catch((error) => {
        throw toStorageError(error);
      });
    if (!objects) throw new StorageError("There is no such bucket", true);
  },

  getStorageId: async () => `bucket ${env().s3!.address}`,
};

interface UnfinishedUpload {
  Key: string;
  UploadId: string;
  Initiated: string;
}

import type { AnyOperation, Upload } from "@/server/core/contract";
import { AppError, createError, invalidField } from "@/server/core/errors";
import { normaliseInput } from "@/server/core/input";
import { emptyListToMap } from "@/server/core/schema";
import type { RawInput } from "../run-operation";
import { parseBoundary, readFormFile } from "./multipart";

export interface RestRequest {
  method: string;
  pathname: string;
  search: string;
  header(name: string): string | null;
  ip: string;
  /** True when the body has arrived together with the headers. */
  isComplete(): Promise<boolean>;
  /** Reads the body. Throws `body_too_large` as soon as it exceeds `limit` bytes. */
  readBody(limit: number): Promise<Uint8Array>;
  streamBody(limit: number): AsyncIterable<Uint8Array>;
}

/** Limits of a JSON body: a small request must not cause much work. */
export const MAX_JSON_BODY_BYTES = 1024 * 1024;
const MAX_JSON_DEPTH = 32;
const MAX_JSON_KEYS = 1000;

/** Bytes of a form other than the file. */
const MAX_FORM_OVERHEAD_BYTES = 16_384;

const decoder = new TextDecoder("utf-8", { fatal: true });

export async function readInput(
  request: RestRequest,
  operation: AnyOperation,
  params: Record<string, string>,
): Promise<RawInput> {
  return {
    params,
    query: parseQuery(request.search),
    body: operation.body ? await readBody(request) : undefined,
    file: operation.upload ? await readUpload(request, operation.upload) : undefined,
  };
}

function parseQuery(search: string): unknown {
  if (search.length <= 1) return {};
  return normaliseInput(Object.fromEntries(new URLSearchParams(search)));
}

async function readBody(request: RestRequest): Promise<unknown> {
  if (hasNoBody(request)) return {};
  if (Number(request.header("content-length")) > MAX_JSON_BODY_BYTES) throw createBodyTooLargeError();
  const type = request.header("content-type") || "application/json";
  const isJson = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type);
  if (!isJson || isCompressed(request)) throw createMediaTypeError("application/json");
  const bytes = await request.readBody(MAX_JSON_BODY_BYTES);
  const value = bytes.length === 0 ? {} : emptyListToMap(normaliseInput(parseJson(bytes)));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("validation", {}, { issues: { body: [{ key: "object" }] } });
}

async function readUpload(
  request: RestRequest,
  { field, maxBytes }: NonNullable<AnyOperation["upload"]>,
): Promise<Upload> {
  if (hasNoBody(request)) throw invalidField(field, "required_choice");
  const boundary = parseBoundary(request.header("content-type"));
  if (!boundary || isCompressed(request)) throw createMediaTypeError("multipart/form-data");
  const limit = maxBytes + MAX_FORM_OVERHEAD_BYTES;
  if (Number(request.header("content-length")) > limit) throw createBodyTooLargeError(maxBytes);
  return readFormFile(request.streamBody(limit), boundary, {
    field,
    maxBytes,
    createTooLargeError: createBodyTooLargeError,
  });
}

function hasNoBody(request: RestRequest): boolean {
  const length = request.header("content-length");
  return (length === null || length === "0") && request.header("transfer-encoding") === null;
}

/** Compressed bodies are rejected: a small one could expand to any size. */
function isCompressed(request: RestRequest): boolean {
  return !["", "identity"].includes(request.header("content-encoding")?.toLowerCase() ?? "");
}

function createMediaTypeError(type: string): AppError {
  return createError("media_type_unsupported", { params: { type } });
}

export function createBodyTooLargeError(limit = MAX_JSON_BODY_BYTES): AppError {
  return createError("body_too_large", { params: { limit }, headers: { connection: "close" } });
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    checkJsonLimits(text);
    return JSON.parse(text);
  } catch (cause) {
    throw createError("malformed_json", { cause });
  }
}

/** Checks the text before parsing: JSON.parse accepts any depth and drops duplicate keys. */
function checkJsonLimits(text: string): void {
  const keyStack: Array<Set<string> | null> = [];
  let keyCount = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "{" || character === "[") {
      if (keyStack.push(character === "{" ? new Set() : null) > MAX_JSON_DEPTH) throw new Error("too deep");
    } else if (character === "}" || character === "]") {
      keyStack.pop();
    } else if (character === '"') {
      const end = findStringEnd(text, index);
      const objectKeys = keyStack.at(-1);
      if (objectKeys && isKey(text, end + 1)) {
        const key = JSON.parse(text.slice(index, end + 1)) as string;
        if (objectKeys.has(key)) throw new Error("duplicate key");
        objectKeys.add(key);
        if (++keyCount > MAX_JSON_KEYS) throw new Error("too many keys");
      }
      index = end;
    }
  }
}

function isKey(text: string, start: number): boolean {
  let index = start;
  while (text[index] === " " || text[index] === "\n" || text[index] === "\r" || text[index] === "\t") index++;
  return text[index] === ":";
}

function findStringEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === '"') return index;
  }
  throw new Error("open string");
}

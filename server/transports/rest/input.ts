import type { AnyOperation, Upload } from "@/server/core/contract";
import { AppError, invalid, refuse } from "@/server/core/errors";
import { normaliseInput } from "@/server/core/input";
import { emptyMap } from "@/server/core/schema";
import type { RawInput } from "../run-operation";
import { boundaryOf, readFile } from "./multipart";

export interface RestRequest {
  method: string;
  pathname: string;
  search: string;
  header(name: string): string | null;
  ip: string;
  /** True when the body has arrived together with the headers. */
  isComplete(): Promise<boolean>;
  /** Reads the body. Throws `body_too_large` as soon as it exceeds `limit` bytes. */
  body(limit: number): Promise<Uint8Array>;
  stream(limit: number): AsyncIterable<Uint8Array>;
}

/** Limits of a JSON body, which bound the work a small request can cause. */
export const MAX_BODY = 1024 * 1024;
const MAX_DEPTH = 32;
const MAX_KEYS = 1000;

const FORM_FRAME = 16_384;

const decoder = new TextDecoder("utf-8", { fatal: true });

export async function readInput(
  request: RestRequest,
  operation: AnyOperation,
  params: Record<string, string>,
): Promise<RawInput> {
  return {
    params,
    query: queryOf(request.search),
    body: operation.body ? await bodyOf(request) : undefined,
    file: operation.upload ? await fileOf(request, operation.upload) : undefined,
  };
}

function queryOf(search: string): unknown {
  if (search.length <= 1) return {};
  return normaliseInput(Object.fromEntries(new URLSearchParams(search)));
}

async function bodyOf(request: RestRequest): Promise<unknown> {
  if (isEmpty(request)) return {};
  if (Number(request.header("content-length")) > MAX_BODY) throw bodyTooLarge();
  // A missing content type means JSON.
  const type = request.header("content-type") || "application/json";
  const isJson = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type);
  if (!isJson || isEncoded(request)) throw unsupported("application/json");
  const bytes = await request.body(MAX_BODY);
  const value = bytes.length === 0 ? {} : emptyMap(normaliseInput(parseJson(bytes)));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("validation", {}, { issues: { body: [{ key: "object" }] } });
}

async function fileOf(
  request: RestRequest,
  { field, maxBytes }: NonNullable<AnyOperation["upload"]>,
): Promise<Upload> {
  if (isEmpty(request)) throw invalid(field, "required");
  const boundary = boundaryOf(request.header("content-type"));
  if (!boundary || isEncoded(request)) throw unsupported("multipart/form-data");
  const limit = maxBytes + FORM_FRAME;
  if (Number(request.header("content-length")) > limit) throw bodyTooLarge(maxBytes);
  return readFile(request.stream(limit), boundary, { field, maxBytes, tooLarge: bodyTooLarge });
}

function isEmpty(request: RestRequest): boolean {
  const length = request.header("content-length");
  return (length === null || length === "0") && request.header("transfer-encoding") === null;
}

/** Compressed bodies are rejected: a small one could expand to any size. */
function isEncoded(request: RestRequest): boolean {
  return !["", "identity"].includes(request.header("content-encoding")?.toLowerCase() ?? "");
}

function unsupported(type: string): AppError {
  return refuse("media_type_unsupported", { params: { type } });
}

export function bodyTooLarge(limit = MAX_BODY): AppError {
  return refuse("body_too_large", { params: { limit }, headers: { connection: "close" } });
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    checkShape(text);
    return JSON.parse(text);
  } catch (cause) {
    throw refuse("malformed_json", { cause });
  }
}

/** Checks the text before parsing: JSON.parse accepts any depth and drops duplicate keys. */
function checkShape(text: string): void {
  const keys: Array<Set<string> | null> = [];
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") {
      if (keys.push(character === "{" ? new Set() : null) > MAX_DEPTH) throw new Error("too deep");
    } else if (character === "}" || character === "]") {
      keys.pop();
    } else if (character === '"') {
      const end = endOfString(text, at);
      const objectKeys = keys.at(-1);
      if (objectKeys && isKey(text, end + 1)) {
        const key = JSON.parse(text.slice(at, end + 1)) as string;
        if (objectKeys.has(key)) throw new Error("duplicate key");
        objectKeys.add(key);
        if (++count > MAX_KEYS) throw new Error("too many keys");
      }
      at = end;
    }
  }
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return text[at] === ":";
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  throw new Error("open string");
}

import type { AnyOperation, Upload } from "@/server/core/contract";
import { AppError, invalid, refuse } from "@/server/core/errors";
import { normaliseInput } from "@/server/core/input";
import { emptyMap } from "@/server/core/schema";
import type { RawInput } from "../perform";
import { MAX_BODY, parseJson } from "./json";
import { boundaryOf, readFile } from "./multipart";
import type { RestRequest } from "./request";

/** Reads the parts of a call from its request. Throws what is wrong with the way they are written. */
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
  if (Number(request.header("content-length")) > MAX_BODY) throw tooLarge();
  // Without a content type, a body is taken for JSON.
  const type = request.header("content-type") || "application/json";
  const json = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type);
  if (!json || isEncoded(request)) throw unsupported("application/json");
  const bytes = await request.body(MAX_BODY);
  const value = bytes.length === 0 ? {} : emptyMap(normaliseInput(parseJson(bytes)));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("validation", {}, { issues: { body: [{ key: "object" }] } });
}

/** Space for what surrounds the file in a form. */
const FORM_FRAME = 16_384;

async function fileOf(
  request: RestRequest,
  { field, maxBytes }: NonNullable<AnyOperation["upload"]>,
): Promise<Upload> {
  if (isEmpty(request)) throw invalid(field, "required");
  const boundary = boundaryOf(request.header("content-type"));
  if (!boundary || isEncoded(request)) throw unsupported("multipart/form-data");
  const limit = maxBytes + FORM_FRAME;
  if (Number(request.header("content-length")) > limit) throw tooLarge(maxBytes);
  return readFile(request.stream(limit), boundary, { field, maxBytes, tooLarge });
}

/** Whether the head announces no body at all. */
function isEmpty(request: RestRequest): boolean {
  const length = request.header("content-length");
  return (length === null || length === "0") && request.header("transfer-encoding") === null;
}

/** Compressed bodies are not accepted: a small one could expand to any size. */
function isEncoded(request: RestRequest): boolean {
  return !["", "identity"].includes(request.header("content-encoding")?.toLowerCase() ?? "");
}

function unsupported(type: string): AppError {
  return refuse("media_type_unsupported", { params: { type } });
}

/** Returns the error for a body beyond its limit. */
export function tooLarge(limit = MAX_BODY): AppError {
  return refuse("body_too_large", { params: { limit }, headers: { connection: "close" } });
}

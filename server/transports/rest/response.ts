import { type AnyOperation, type FileContent, FileOutput, RawJson } from "@/server/core/contract";
import type { AppError } from "@/server/core/errors";
import type { Locale } from "@/server/core/locale";
import { renderError } from "../render-error";
import { etag } from "./headers";
import type { RestRequest } from "./request";

/** A response without its transport: what both doors send. */
export interface RestResponse {
  status: number;
  headers: Record<string, string>;
  /** Bytes once it is compressed. */
  body: string | Uint8Array<ArrayBuffer> | null;
  /** Sent instead of the body. */
  file?: FileContent;
}

/** The response of an operation that succeeded. */
export function outputResponse(request: RestRequest, operation: AnyOperation, output: unknown): RestResponse {
  const { status, cacheControl } = operation;
  if (output instanceof FileOutput) return fileResponse(output, status);
  const body = output instanceof RawJson ? output.text : JSON.stringify(output);
  return cacheControl ? cachedResponse(request, cacheControl, body, status) : { status, headers: {}, body };
}

/** The documented response of an error; its code, which no body has, is a header. */
export function failureResponse(failure: AppError, locale: Locale): RestResponse & { body: string } {
  return {
    status: failure.status,
    headers: {
      "x-error-code": failure.code,
      ...(failure.code === "unauthenticated" ? { "www-authenticate": "Bearer" } : {}),
      ...failure.extras.headers,
    },
    body: JSON.stringify(renderError(failure, locale, { technical: true })),
  };
}

/** Headers make the browser save the file and never show it as a page of ours. */
function fileResponse({ content, save }: FileOutput, status: number): RestResponse {
  const headers = {
    "content-type": save.type,
    ...(content.size !== undefined && { "content-length": String(content.size) }),
    "content-disposition": `attachment; filename="${save.name}"`,
  };
  return { status, headers, body: null, file: content };
}

/** A public response carries its content's tag; a client that has it already gets 304. */
function cachedResponse(
  request: RestRequest,
  cacheControl: string,
  body: string,
  status: number,
): RestResponse {
  const tag = etag(body);
  const headers = { "cache-control": cacheControl, etag: tag };
  const known = request
    .header("if-none-match")
    ?.split(",")
    .map((item) => item.trim().replace(/^W\//, ""));
  return known?.includes(tag) || known?.includes("*")
    ? { status: 304, headers, body: null }
    : { status, headers, body };
}

import { toAuthHeader } from "./credential";
import type { TryFormData, TryValues } from "./try-form-data";

const MAX_TEXT_BYTES = 1_000_000;

const SHOWN_HEADER_PATTERN =
  /^(content-type|content-disposition|deprecation|idempotent-replay|location|retry-after|sunset|x-(request-id|error-code|ratelimit-.*))$/;

export interface TryResponse {
  status: number;
  headers: Array<[string, string]>;
  durationMs: number;
  /** Seconds. */
  retryAfterSeconds: number | null;
  body:
    | { kind: "none" }
    | { kind: "text"; text: string; isJson: boolean; isTruncated: boolean }
    | { kind: "file"; blob: Blob; name: string };
}

export function findMissingFields(spec: TryFormData, values: TryValues): string[] {
  const listIfMissing = (field: TryFormData["params"][number], inputs: Record<string, string>) =>
    field.required && !inputs[field.name]?.trim() ? [field.name] : [];
  return [
    ...spec.params.flatMap((field) => listIfMissing(field, values.params)),
    ...spec.query.flatMap((field) => listIfMissing(field, values.query)),
    ...(spec.upload && !values.file ? [spec.upload.field] : []),
  ];
}

/** Builds the request. Omits the browser's cookies, so that only the chosen credential counts. */
export function buildRequest(spec: TryFormData, values: TryValues, secret: string | undefined): Request {
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.params[name]?.trim() ?? ""),
  );
  const query = new URLSearchParams(Object.entries(values.query).filter(([, value]) => value !== ""));
  const headers = new Headers({ Accept: "application/json" });
  if (secret) headers.set(...toAuthHeader(secret));
  if (values.idempotencyKey) headers.set("Idempotency-Key", values.idempotencyKey);
  let body: BodyInit | undefined;
  if (spec.upload && values.file) {
    body = new FormData();
    body.append(spec.upload.field, values.file);
  } else if (spec.body !== null) {
    body = values.body;
    headers.set("Content-Type", "application/json");
  }
  const url = new URL(path + (query.size > 0 ? `?${query}` : ""), window.location.origin);
  return new Request(url, {
    ...{ method: spec.method, headers, credentials: "omit", cache: "no-store" },
    ...(body !== undefined && { body }),
  });
}

/** Sends a request and reads the response. Rejects without a connection or when `signal` aborts. */
export async function sendRequest(request: Request, signal: AbortSignal): Promise<TryResponse> {
  const startedAt = performance.now();
  const response = await fetch(request, { signal });
  const body = await readBody(response);
  const retryAfterSeconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => SHOWN_HEADER_PATTERN.test(name)),
    durationMs: Math.round(performance.now() - startedAt),
    retryAfterSeconds: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds : null,
    body,
  };
}

async function readBody(response: Response): Promise<TryResponse["body"]> {
  const type = response.headers.get("content-type") ?? "";
  const isAttachment = /^attachment/.test(response.headers.get("content-disposition") ?? "");
  if (isAttachment || !(type === "" || /^text\/|json|xml/.test(type))) {
    return { kind: "file", blob: await response.blob(), name: getFileName(response) };
  }
  const { text, isTruncated } = await readText(response);
  if (text === "") return { kind: "none" };
  if (isTruncated || !type.includes("json")) return { kind: "text", text, isJson: false, isTruncated };
  try {
    return { kind: "text", text: JSON.stringify(JSON.parse(text), null, 2), isJson: true, isTruncated };
  } catch {
    return { kind: "text", text, isJson: false, isTruncated };
  }
}

function getFileName(response: Response): string {
  const disposition = response.headers.get("content-disposition") ?? "";
  const [, name] = /filename="?([^";]+)"?/.exec(disposition) ?? [];
  return name ?? new URL(response.url).pathname.split("/").at(-1) ?? "file";
}

async function readText(response: Response): Promise<{ text: string; isTruncated: boolean }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return { text: text + decoder.decode(), isTruncated: false };
    text += decoder.decode(value.subarray(0, MAX_TEXT_BYTES - bytes), { stream: true });
    bytes += value.length;
    if (bytes > MAX_TEXT_BYTES) {
      await reader?.cancel();
      return { text, isTruncated: true };
    }
  }
}

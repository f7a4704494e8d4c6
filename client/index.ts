import createClient, { type Client, type Middleware } from "openapi-fetch";
import { TellalError } from "./error.js";
import { REPEATABLE as IDEMPOTENT_OPERATIONS } from "./generated/operations.js";
import type { components, paths } from "./generated/schema.js";

export { TellalError } from "./error.js";
export type { components, operations, paths } from "./generated/schema.js";
export { verifyWebhook } from "./webhook.js";

/** Component schemas of the API, such as `Schemas["Site"]`. */
export type Schemas = components["schemas"];

export interface TellalOptions {
  /** URL of the installation, without `/api`. */
  baseUrl: string;
  /** A user token, `dsu_…`. */
  token?: string;
  /** A site's external key, `dse_…`. */
  siteKey?: string;
  fetch?: typeof fetch;
  /** Maximum number of retries after a network error or a response with `Retry-After`. Default 2. */
  retries?: number;
  /** Throws a {@link TellalError} for an error response instead of returning it as `error`. */
  throwOnError?: boolean;
}

export type ListPath = {
  [P in keyof paths]: paths[P] extends {
    get: { responses: { 200: { content: { "application/json": { data: unknown[] } } } } };
  }
    ? P
    : never;
}[keyof paths];
type Row<P extends ListPath> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": { data: (infer R)[] } } } } };
}
  ? R
  : never;
type Query<P extends ListPath> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never;
type UploadResponse = paths["/api/media/upload"]["post"]["responses"][201]["content"]["application/json"];

export interface UploadOptions {
  name?: string;
  /** Called with the sent fraction, 0 to 1. Outside browsers it is called once, with 1. */
  onProgress?: (sent: number) => void;
}

export interface Tellal extends Client<paths> {
  /** Yields every row of a list. Continues after the last row's ID if the query has `after`, else by page. */
  paginate<P extends ListPath>(path: P, query?: Query<P>): AsyncGenerator<Row<P>>;
  /** Uploads a file to the media library. Throws a {@link TellalError} for an error response. */
  upload(file: Blob, options?: UploadOptions): Promise<UploadResponse>;
}

/** Creates a client of one installation, typed by its OpenAPI document. */
export function createTellal(options: TellalOptions): Tellal {
  const { baseUrl, token, siteKey, retries = 2, throwOnError = false } = options;
  const credential: Record<string, string> = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(siteKey && { "X-API-Key": siteKey }),
  };
  const send = options.fetch ?? ((request: Request) => fetch(request));
  const client = createClient<paths>({
    baseUrl,
    headers: { Accept: "application/json", ...credential },
    fetch: (request) => withRetries(request, send, retries),
  });
  client.use(addIdempotencyKey);
  if (throwOnError) client.use({ onResponse: throwErrorResponse });
  return Object.assign(client, {
    paginate: <P extends ListPath>(path: P, query?: Query<P>) =>
      paginate<P>(client, path, { ...(query as object) }),
    upload: (file: Blob, uploadOptions: UploadOptions = {}) =>
      upload(file, uploadOptions, { url: `${baseUrl}/api/media/upload`, credential, send }),
  });
}

/** Adds an idempotency key, so that a retry after a lost response has no second effect. */
const addIdempotencyKey: Middleware = {
  onRequest({ request, schemaPath }) {
    if (
      IDEMPOTENT_OPERATIONS.has(`${request.method} ${schemaPath}`) &&
      !request.headers.has("Idempotency-Key")
    )
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    return request;
  },
};

async function throwErrorResponse({ response }: { response: Response }): Promise<void> {
  if (response.status >= 400) throw await TellalError.of(response);
}

/** Longest `Retry-After` to wait for. With a longer one, the caller gets the response. */
const MAX_WAIT_SECONDS = 60;

async function withRetries(
  request: Request,
  send: (request: Request) => Promise<Response>,
  maxRetries: number,
): Promise<Response> {
  const isRepeatable = request.method !== "POST" || request.headers.has("Idempotency-Key");
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= maxRetries;
    let response: Response;
    try {
      response = await send(request.clone());
    } catch (error) {
      if (isLast || !isRepeatable || request.signal.aborted) throw error;
      await wait(2 ** attempt / 4, request.signal);
      continue;
    }
    const retryAfter = Number(response.headers.get("Retry-After"));
    if (isLast || !(retryAfter > 0) || retryAfter > MAX_WAIT_SECONDS || !isRetryable(response, isRepeatable))
      return response;
    await response.body?.cancel();
    await wait(retryAfter, request.signal);
  }
}

/** After 429, no call had an effect. After 503, or while its key is in use, a call may have had one. */
function isRetryable({ status, headers }: Response, isRepeatable: boolean): boolean {
  if (status === 429) return true;
  return isRepeatable && (status === 503 || headers.get("X-Error-Code") === "idempotency_in_progress");
}

function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, seconds * 1000);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

interface ListPage {
  data: Array<{ id?: unknown }>;
  meta?: { page: number; per_page: number; total: number };
}

async function* paginate<P extends ListPath>(
  client: Client<paths>,
  path: P,
  query: Record<string, unknown>,
): AsyncGenerator<Row<P>> {
  const hasCursor = "after" in query;
  const get = client.GET as unknown as (
    path: string,
    init: object,
  ) => Promise<{ data?: ListPage; response: Response; error?: unknown }>;
  for (let page = 1; ; page++) {
    const pageQuery = hasCursor ? {} : { page, per_page: query.per_page ?? 100 };
    const {
      data: listPage,
      error,
      response,
    } = await get(path, { params: { query: { ...query, ...pageQuery } } });
    if (!listPage) throw TellalError.from(response, error);
    yield* listPage.data as Row<P>[];
    const { data: rows, meta } = listPage;
    if (rows.length === 0 || (!hasCursor && (!meta || meta.page * meta.per_page >= meta.total))) return;
    if (hasCursor) query.after = rows.at(-1)?.id;
  }
}

interface UploadTarget {
  url: string;
  credential: Record<string, string>;
  send: (request: Request) => Promise<Response>;
}

async function upload(
  file: Blob,
  { name, onProgress }: UploadOptions,
  target: UploadTarget,
): Promise<UploadResponse> {
  const form = new FormData();
  form.append("file", file, name ?? (file as Partial<File>).name ?? "file");
  const { url, credential, send } = target;
  const response =
    onProgress && typeof XMLHttpRequest !== "undefined"
      ? await sendWithProgress(form, target, onProgress)
      : await send(new Request(url, { method: "POST", body: form, headers: credential }));
  if (!response.ok) throw await TellalError.of(response);
  onProgress?.(1);
  return (await response.json()) as UploadResponse;
}

/** Uses XMLHttpRequest: `fetch` reports no upload progress. */
function sendWithProgress(
  form: FormData,
  { url, credential }: UploadTarget,
  onProgress: (sent: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open("POST", url);
    for (const [header, value] of Object.entries(credential)) xhr.setRequestHeader(header, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    xhr.onerror = () => reject(new TypeError("The file could not be sent"));
    xhr.onload = () => {
      const headers = new Headers();
      for (const name of ["Retry-After", "X-Error-Code", "X-Request-Id"]) {
        const value = xhr.getResponseHeader(name);
        if (value) headers.set(name, value);
      }
      resolve(new Response(xhr.responseText, { status: xhr.status, headers }));
    };
    xhr.send(form);
  });
}

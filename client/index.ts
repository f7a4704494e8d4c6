import createClient, { type Client, type Middleware } from "openapi-fetch";
import { TellalError } from "./error.js";
import { REPEATABLE } from "./generated/operations.js";
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

/** Paths of lists that return their rows in `data`. */
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
type Uploaded = paths["/api/media/upload"]["post"]["responses"][201]["content"]["application/json"];

export interface UploadOptions {
  name?: string;
  /** Called with the sent fraction, 0 to 1. Outside browsers it is called once, with 1. */
  onProgress?: (sent: number) => void;
}

export interface Tellal extends Client<paths> {
  /** Yields every row of a list, page by page; by the id of the last row if the query has `after`. */
  paginate<P extends ListPath>(path: P, query?: Query<P>): AsyncGenerator<Row<P>>;
  /** Uploads a file to the media library. Throws a {@link TellalError} for an error response. */
  upload(file: Blob, options?: UploadOptions): Promise<Uploaded>;
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
  client.use(giveKey);
  if (throwOnError) client.use({ onResponse: refuse });
  return Object.assign(client, {
    paginate: <P extends ListPath>(path: P, query?: Query<P>) =>
      paginate<P>(client, path, { ...(query as object) }),
    upload: (file: Blob, given: UploadOptions = {}) =>
      upload(file, given, { url: `${baseUrl}/api/media/upload`, credential, send }),
  });
}

/** Adds an idempotency key, so that a retry after a lost response has no second effect. */
const giveKey: Middleware = {
  onRequest({ request, schemaPath }) {
    if (REPEATABLE.has(`${request.method} ${schemaPath}`) && !request.headers.has("Idempotency-Key"))
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    return request;
  },
};

async function refuse({ response }: { response: Response }): Promise<void> {
  if (response.status >= 400) throw await TellalError.of(response);
}

/** Seconds. If `Retry-After` is longer, the response is returned and the caller decides. */
const LONGEST_WAIT = 60;

async function withRetries(
  request: Request,
  send: (request: Request) => Promise<Response>,
  retries: number,
): Promise<Response> {
  const repeatable = request.method !== "POST" || request.headers.has("Idempotency-Key");
  for (let attempt = 0; ; attempt++) {
    const last = attempt >= retries;
    let response: Response;
    try {
      response = await send(request.clone());
    } catch (error) {
      if (last || !repeatable || request.signal.aborted) throw error;
      await wait(2 ** attempt / 4, request.signal);
      continue;
    }
    const after = Number(response.headers.get("Retry-After"));
    if (last || !(after > 0) || after > LONGEST_WAIT || !asksAgain(response, repeatable)) return response;
    await response.body?.cancel();
    await wait(after, request.signal);
  }
}

/** A 429 had no effect. After a 503, or while a call with the same key runs, only a repeatable call is retried. */
function asksAgain({ status, headers }: Response, repeatable: boolean): boolean {
  if (status === 429) return true;
  return repeatable && (status === 503 || headers.get("X-Error-Code") === "idempotency_in_progress");
}

function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

interface List {
  data: Array<{ id?: unknown }>;
  meta?: { page: number; per_page: number; total: number };
}

async function* paginate<P extends ListPath>(
  client: Client<paths>,
  path: P,
  query: Record<string, unknown>,
): AsyncGenerator<Row<P>> {
  const walks = "after" in query;
  const get = client.GET as unknown as (
    path: string,
    init: object,
  ) => Promise<{ data?: List; response: Response; error?: unknown }>;
  for (let page = 1; ; page++) {
    const place = walks ? {} : { page, per_page: query.per_page ?? 100 };
    const { data: list, error, response } = await get(path, { params: { query: { ...query, ...place } } });
    if (!list) throw TellalError.from(response, error);
    yield* list.data as Row<P>[];
    const { data: rows, meta } = list;
    if (rows.length === 0 || (!walks && (!meta || meta.page * meta.per_page >= meta.total))) return;
    if (walks) query.after = rows.at(-1)?.id;
  }
}

interface Way {
  url: string;
  credential: Record<string, string>;
  send: (request: Request) => Promise<Response>;
}

async function upload(file: Blob, { name, onProgress }: UploadOptions, way: Way): Promise<Uploaded> {
  const form = new FormData();
  form.append("file", file, name ?? (file as Partial<File>).name ?? "file");
  const { url, credential, send } = way;
  const response =
    onProgress && typeof XMLHttpRequest !== "undefined"
      ? await sendWatched(form, way, onProgress)
      : await send(new Request(url, { method: "POST", body: form, headers: credential }));
  if (!response.ok) throw await TellalError.of(response);
  onProgress?.(1);
  return (await response.json()) as Uploaded;
}

/** Uses XMLHttpRequest: `fetch` reports no upload progress. */
function sendWatched(
  form: FormData,
  { url, credential }: Way,
  onProgress: (sent: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open("POST", url);
    for (const [header, value] of Object.entries(credential)) call.setRequestHeader(header, value);
    call.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    call.onerror = () => reject(new TypeError("The file could not be sent"));
    call.onload = () => {
      const headers = new Headers();
      for (const name of ["Retry-After", "X-Error-Code", "X-Request-Id"]) {
        const value = call.getResponseHeader(name);
        if (value) headers.set(name, value);
      }
      resolve(new Response(call.responseText, { status: call.status, headers }));
    };
    call.send(form);
  });
}

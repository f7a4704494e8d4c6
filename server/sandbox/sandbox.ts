export interface SandboxCall {
  method: string;
  /** Relative to the sandbox's base URL. */
  path: string;
  query: URLSearchParams;
  header(name: string): string | undefined;
  body: string;
  /** Base URL of the sandbox, without a trailing slash. */
  baseUrl: string;
}

export interface SandboxResponse {
  status: number;
  /** Sent as JSON, bytes as a PDF, undefined as an empty body. */
  body: unknown;
  headers?: Record<string, string>;
}

export interface SandboxStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
}

/** Simulates an external service: its protocol, statuses and bodies. `now` is in milliseconds. */
export type Sandbox = (call: SandboxCall, store: SandboxStore, now: number) => Promise<SandboxResponse>;

export const sandboxResponse = (status: number, body: unknown): SandboxResponse => ({ status, body });

export function encodeBody({ body }: SandboxResponse): { type: string; bytes: Buffer } {
  if (body instanceof Uint8Array) return { type: "application/pdf", bytes: Buffer.from(body) };
  const type = "application/json; charset=utf-8";
  return { type, bytes: Buffer.from(body === undefined ? "" : JSON.stringify(body)) };
}

/** Parses the fields of a JSON or form body, merged over the query. */
export function parseFields({ body, query }: SandboxCall): Record<string, unknown> {
  const queryFields = Object.fromEntries(query);
  if (!body) return queryFields;
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? { ...queryFields, ...parsed } : queryFields;
  } catch {
    return { ...queryFields, ...Object.fromEntries(new URLSearchParams(body)) };
  }
}

export const stringOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");

export function createMemoryStore(): SandboxStore & { entries: Map<string, unknown> } {
  const entries = new Map<string, unknown>();
  return {
    entries,
    get: async (key) => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
    delete: async (key) => void entries.delete(key),
  };
}

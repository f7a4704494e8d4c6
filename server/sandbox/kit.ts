/** A call as a sandbox sees it: what follows its base address, and the body as it came. */
export interface SandboxCall {
  method: string;
  path: string;
  query: URLSearchParams;
  header(name: string): string | undefined;
  body: string;
  /** The party's own address, without a slash at its end. */
  base: string;
}

export interface SandboxAnswer {
  status: number;
  /** Sent as JSON; bytes as a PDF, undefined as nothing. */
  body: unknown;
  /** Beside those that every answer has. */
  headers?: Record<string, string>;
}

/** What a sandbox remembers, by keys of its own. */
export interface SandboxStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
}

/** A party: speaks its protocol, with its statuses and bodies. `now` is in milliseconds. */
export type Sandbox = (call: SandboxCall, store: SandboxStore, now: number) => Promise<SandboxAnswer>;

export const answer = (status: number, body: unknown): SandboxAnswer => ({ status, body });

/** What an answer is as bytes, and of which type. */
export function encoded({ body }: SandboxAnswer): { type: string; bytes: Buffer } {
  if (body instanceof Uint8Array) return { type: "application/pdf", bytes: Buffer.from(body) };
  const type = "application/json; charset=utf-8";
  return { type, bytes: Buffer.from(body === undefined ? "" : JSON.stringify(body)) };
}

/** The fields of a body: JSON, or a form. */
export function fieldsOf({ body, query }: SandboxCall): Record<string, unknown> {
  const given = Object.fromEntries(query);
  if (!body) return given;
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? { ...given, ...parsed } : given;
  } catch {
    return { ...given, ...Object.fromEntries(new URLSearchParams(body)) };
  }
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A store in memory. */
export function memoryStore(): SandboxStore & { all: Map<string, unknown> } {
  const all = new Map<string, unknown>();
  return {
    all,
    get: async (key) => all.get(key),
    set: async (key, value) => void all.set(key, value),
    delete: async (key) => void all.delete(key),
  };
}

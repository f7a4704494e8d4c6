import { expectationText, fits, isObject } from "./matchers";
import { normalise } from "./transcript";

export type Mode = "demo" | "production";

/** Result of checking one sentence, field or row of docs/contract.md. */
export interface Check {
  name: string;
  label: string;
  ok: boolean;
  expected: string;
  received: string;
  /** Normalised response, comparable between runs. */
  transcript: string;
  /** True if demo mode and production may differ. */
  varies: boolean;
}

export interface CallOptions {
  token?: string;
  key?: string;
  body?: unknown;
  /** Sent verbatim instead of a JSON body. */
  raw?: string;
  /** Content-Type; null omits the header. */
  type?: string | null;
  headers?: Record<string, string>;
  /** Client address that the trusted proxy reports in production. By default the client's current address. */
  from?: string;
  /** True if a 429 is acceptable. */
  provoked?: boolean;
  varies?: boolean;
}

export class Reply {
  constructor(
    readonly label: string,
    readonly status: number,
    readonly headers: Headers,
    readonly body: unknown,
    readonly varies: boolean,
  ) {}

  /** Returns the value at a path such as `user.id`, or undefined. */
  at(path: string): unknown {
    return path
      .split(".")
      .reduce<unknown>(
        (value, key) => (typeof value === "object" && value !== null ? value[key as never] : undefined),
        this.body,
      );
  }

  text(path: string): string {
    const value = this.at(path);
    if (typeof value === "string") return value;
    throw new Error(`${this.label}: ${this.status} without ${path}: ${JSON.stringify(this.body)}`);
  }

  number(path: string): number {
    const value = this.at(path);
    if (typeof value === "number") return value;
    throw new Error(`${this.label}: ${this.status} without ${path}: ${JSON.stringify(this.body)}`);
  }
}

const MAX_MOVES = 3;

/** HTTP client that records checks of the contract and the responses. */
export class Client {
  readonly checks: Check[] = [];
  readonly unprovoked: string[] = [];
  registered = 0;
  readonly #names = new Set<string>();
  readonly #counts = new Map<string, number>();
  #moves = 0;

  constructor(
    readonly mode: Mode,
    readonly url: string,
  ) {}

  count(method: string, path: string, status: number, from?: string): number {
    return this.#counts.get(`${method} ${path} ${status} ${this.#address(from)}`) ?? 0;
  }

  async call(label: string, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    for (let moves = 0; ; moves++) {
      const reply = await this.#send(label, method, path, options);
      const counterKey = `${method} ${path} ${reply.status} ${this.#address(options.from)}`;
      this.#counts.set(counterKey, (this.#counts.get(counterKey) ?? 0) + 1);
      if (path === "/api/auth/register" && reply.status === 201) this.registered++;
      if (reply.status !== 429 || options.provoked) return reply;
      if (this.mode === "demo" || options.from || moves === MAX_MOVES) {
        this.unprovoked.push(label);
        return reply;
      }
      this.#moves++;
    }
  }

  get(label: string, path: string, options?: CallOptions): Promise<Reply> {
    return this.call(label, "GET", path, options);
  }
  post(label: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply> {
    return this.call(label, "POST", path, { body, ...options });
  }
  put(label: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply> {
    return this.call(label, "PUT", path, { body, ...options });
  }
  delete(label: string, path: string, options?: CallOptions): Promise<Reply> {
    return this.call(label, "DELETE", path, options);
  }

  postTo(label: string, url: URL, body: unknown): Promise<Reply> {
    return this.#send(label, "POST", url.pathname, { body, varies: true }, url.origin);
  }

  /** Adds one check for the status and one for each field. */
  expectFields(reply: Reply, status: number, fields: Record<string, unknown> = {}): Reply {
    const { label } = reply;
    this.check(`${label}: is ${status}`, reply, reply.status === status, String(status), reply.status);
    for (const [path, expected] of Object.entries(fields)) {
      const value = reply.at(path);
      const isMatch = reply.status === status && fits(expected, value);
      this.check(
        `${label}: ${path} is ${expectationText(expected, path)}`,
        reply,
        isMatch,
        expectationText(expected, path),
        value,
      );
    }
    return reply;
  }

  /** Adds one check for status and fields together: a row of a table of inputs. */
  expectRow(reply: Reply, status: number, fields: Record<string, unknown> = {}): Reply {
    const entries = Object.entries(fields);
    const expectations = entries.map(([path, expected]) => `${path} ${expectationText(expected, path)}`);
    const expected = [String(status), ...expectations].join(", ");
    const isMatch = reply.status === status && entries.every(([path, value]) => fits(value, reply.at(path)));
    this.check(`${reply.label} is ${expected}`, reply, isMatch, expected, reply.status);
    return reply;
  }

  expectInvalid(reply: Reply, field: string): Reply {
    const errors = isObject(reply.body) ? reply.body.errors : undefined;
    const isNamed = isObject(errors) && Array.isArray(errors[field]) && errors[field].length > 0;
    const hasShape =
      isObject(errors) &&
      Object.values(errors).every(
        (texts) => Array.isArray(texts) && texts.every((text) => typeof text === "string"),
      );
    const isMatch = reply.status === 422 && typeof reply.at("message") === "string" && hasShape && isNamed;
    const expected = `422 with errors.${field}`;
    this.check(`${reply.label} is ${expected}`, reply, isMatch, expected, reply.status);
    return reply;
  }

  check(name: string, reply: Reply | null, ok: boolean, expected: string, received: unknown): void {
    if (this.#names.has(name)) throw new Error(`Two checks have this name: ${name}`);
    this.#names.add(name);
    const body = reply && normalise(reply.body);
    this.checks.push({
      name,
      label: reply?.label ?? name,
      ok,
      expected,
      received: `${shorten(received)}${reply && !ok ? ` (${reply.status} ${shorten(reply.body)})` : ""}`,
      transcript: reply ? `${reply.status} ${JSON.stringify(body)}` : String(ok),
      varies: reply?.varies ?? false,
    });
  }

  /** Runs a group of steps. An exception becomes a failed check; the next group still runs. */
  async group(name: string, steps: () => Promise<void>): Promise<void> {
    try {
      await steps();
    } catch (error) {
      const { message } = error as Error;
      this.check(`${name}: runs to its end`, null, false, "no error", message);
    }
  }

  async #send(
    label: string,
    method: string,
    path: string,
    options: CallOptions,
    base = this.url,
  ): Promise<Reply> {
    const { token, key, body, raw, type, headers, from, varies = false } = options;
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const contentType = type === undefined ? "application/json" : type;
    const response = await fetch(base + path, {
      method,
      headers: {
        accept: "application/json",
        ...(payload !== undefined && contentType && { "content-type": contentType }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { "x-api-key": key }),
        ...(this.mode === "production" && { "x-forwarded-for": this.#address(from) }),
        ...headers,
      },
      // Bytes, because fetch adds a Content-Type to a string.
      body: payload === undefined ? undefined : new TextEncoder().encode(payload),
    });
    return new Reply(label, response.status, response.headers, await readBody(response), varies);
  }

  #address(from?: string): string {
    if (this.mode === "demo") return "127.0.0.1";
    return from ?? `10.1.${this.#moves >> 8}.${this.#moves & 255}`;
  }
}

async function readBody(response: Response): Promise<unknown> {
  const content = await response.text();
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

function shorten(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing";
  return json.length > 300 ? `${json.slice(0, 300)}…` : json;
}

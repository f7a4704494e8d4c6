import { describeExpectation, isObject, matchesExpectation } from "./matchers";
import { maskVaryingValues } from "./normalise";

export type Mode = "demo" | "production";

/** Result of checking one sentence, field or row of docs/contract.md. */
export interface Check {
  name: string;
  label: string;
  isPassing: boolean;
  expected: string;
  received: string;
  /** Normalised response, comparable between runs. */
  transcript: string;
  /** True if demo mode and production may differ. */
  varies: boolean;
}

export interface CallOptions {
  token?: string;
  /** Site key, sent as `X-API-Key`. */
  key?: string;
  body?: unknown;
  /** Sent verbatim instead of a JSON body. */
  rawBody?: string;
  /** Content-Type; null omits the header. */
  type?: string | null;
  headers?: Record<string, string>;
  /** Client address that the trusted proxy reports in production. By default the client's current address. */
  clientAddress?: string;
  /** True if a 429 is expected: it is returned instead of retried. */
  allowsThrottling?: boolean;
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
  valueAt(path: string): unknown {
    return path
      .split(".")
      .reduce<unknown>(
        (value, key) => (typeof value === "object" && value !== null ? value[key as never] : undefined),
        this.body,
      );
  }

  textAt(path: string): string {
    const value = this.valueAt(path);
    if (typeof value === "string") return value;
    throw new Error(`${this.label}: ${this.status} without ${path}: ${JSON.stringify(this.body)}`);
  }

  numberAt(path: string): number {
    const value = this.valueAt(path);
    if (typeof value === "number") return value;
    throw new Error(`${this.label}: ${this.status} without ${path}: ${JSON.stringify(this.body)}`);
  }
}

const MAX_ADDRESS_CHANGES = 3;

/** HTTP client that records checks of the contract and the responses. */
export class Client {
  readonly checks: Check[] = [];
  readonly unexpectedThrottling: string[] = [];
  registrationCount = 0;
  readonly #names = new Set<string>();
  readonly #counts = new Map<string, number>();
  /** Number of changes of the client address, each after an unexpected 429. */
  #addressIndex = 0;

  constructor(
    readonly mode: Mode,
    readonly url: string,
  ) {}

  countResponses(method: string, path: string, status: number, clientAddress?: string): number {
    return this.#counts.get(`${method} ${path} ${status} ${this.#address(clientAddress)}`) ?? 0;
  }

  /** Retries after an unexpected 429 from another client address, because limits count by address. */
  async call(label: string, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    for (let addressChanges = 0; ; addressChanges++) {
      const reply = await this.#send(label, method, path, options);
      const counterKey = `${method} ${path} ${reply.status} ${this.#address(options.clientAddress)}`;
      this.#counts.set(counterKey, (this.#counts.get(counterKey) ?? 0) + 1);
      if (path === "/api/auth/register" && reply.status === 201) this.registrationCount++;
      if (reply.status !== 429 || options.allowsThrottling) return reply;
      if (this.mode === "demo" || options.clientAddress || addressChanges === MAX_ADDRESS_CHANGES) {
        this.unexpectedThrottling.push(label);
        return reply;
      }
      this.#addressIndex++;
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

  postToOrigin(label: string, url: URL, body: unknown): Promise<Reply> {
    return this.#send(label, "POST", url.pathname, { body, varies: true }, url.origin);
  }

  expectFields(reply: Reply, status: number, fields: Record<string, unknown> = {}): Reply {
    const { label } = reply;
    this.addCheck(`${label}: is ${status}`, reply, reply.status === status, String(status), reply.status);
    for (const [path, expected] of Object.entries(fields)) {
      const value = reply.valueAt(path);
      const isMatch = reply.status === status && matchesExpectation(expected, value);
      this.addCheck(
        `${label}: ${path} is ${describeExpectation(expected, path)}`,
        reply,
        isMatch,
        describeExpectation(expected, path),
        value,
      );
    }
    return reply;
  }

  /** Adds one check for status and fields together: a row of a table of inputs. */
  expectRow(reply: Reply, status: number, fields: Record<string, unknown> = {}): Reply {
    const entries = Object.entries(fields);
    const expectations = entries.map(([path, expected]) => `${path} ${describeExpectation(expected, path)}`);
    const expected = [String(status), ...expectations].join(", ");
    const isMatch =
      reply.status === status &&
      entries.every(([path, value]) => matchesExpectation(value, reply.valueAt(path)));
    this.addCheck(`${reply.label} is ${expected}`, reply, isMatch, expected, reply.status);
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
    const isMatch =
      reply.status === 422 && typeof reply.valueAt("message") === "string" && hasShape && isNamed;
    const expected = `422 with errors.${field}`;
    this.addCheck(`${reply.label} is ${expected}`, reply, isMatch, expected, reply.status);
    return reply;
  }

  addCheck(name: string, reply: Reply | null, isPassing: boolean, expected: string, received: unknown): void {
    if (this.#names.has(name)) throw new Error(`Two checks have this name: ${name}`);
    this.#names.add(name);
    const body = reply && maskVaryingValues(reply.body);
    this.checks.push({
      name,
      label: reply?.label ?? name,
      isPassing,
      expected,
      received: `${shorten(received)}${reply && !isPassing ? ` (${reply.status} ${shorten(reply.body)})` : ""}`,
      transcript: reply ? `${reply.status} ${JSON.stringify(body)}` : String(isPassing),
      varies: reply?.varies ?? false,
    });
  }

  /** Runs a group of steps. An exception becomes a failed check; the next group still runs. */
  async runGroup(name: string, steps: () => Promise<void>): Promise<void> {
    try {
      await steps();
    } catch (error) {
      const { message } = error as Error;
      this.addCheck(`${name}: runs to its end`, null, false, "no error", message);
    }
  }

  async #send(
    label: string,
    method: string,
    path: string,
    options: CallOptions,
    origin = this.url,
  ): Promise<Reply> {
    const { token, key, body, rawBody, type, headers, clientAddress, varies = false } = options;
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const contentType = type === undefined ? "application/json" : type;
    const response = await fetch(origin + path, {
      method,
      headers: {
        accept: "application/json",
        ...(payload !== undefined && contentType && { "content-type": contentType }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { "x-api-key": key }),
        ...(this.mode === "production" && { "x-forwarded-for": this.#address(clientAddress) }),
        ...headers,
      },
      // Bytes, because fetch adds a Content-Type to a string.
      body: payload === undefined ? undefined : new TextEncoder().encode(payload),
    });
    return new Reply(label, response.status, response.headers, await readBody(response), varies);
  }

  #address(clientAddress?: string): string {
    if (this.mode === "demo") return "127.0.0.1";
    return clientAddress ?? `10.1.${this.#addressIndex >> 8}.${this.#addressIndex & 255}`;
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

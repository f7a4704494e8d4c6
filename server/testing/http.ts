import { Agent, type IncomingHttpHeaders, request } from "node:http";

export interface TestResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  bytes?: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary parts of the body
  json: any;
}

export interface CallOptions {
  token?: string;
  body?: unknown;
  /** Sent unchanged; the content type is JSON unless `headers` override it. */
  raw?: string | Uint8Array;
  headers?: Record<string, string | string[]>;
  ip?: string;
}

let addressCount = 0;

/** Returns an unused client address, so that rate limits do not interfere. */
export function createIpAddress(): string {
  const index = ++addressCount;
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}

export function buildHeaders(options: CallOptions): {
  headers: Record<string, string | string[]>;
  bytes?: Buffer;
} {
  const { raw, body } = options;
  const bytes =
    raw === undefined
      ? body === undefined
        ? undefined
        : Buffer.from(JSON.stringify(body))
      : Buffer.from(raw);
  return {
    bytes,
    headers: {
      accept: "application/json",
      "x-forwarded-for": options.ip ?? createIpAddress(),
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...(bytes && { "content-type": "application/json", "content-length": String(bytes.length) }),
      ...options.headers,
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request over a real socket without normalising the path. */
export function sendHttp(
  port: number,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<TestResponse> {
  const { headers, bytes } = buildHeaders(options);
  return new Promise((resolve, reject) => {
    const req = request({ host: "127.0.0.1", port, method, path, headers, agent }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("error", reject);
      res.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString("utf8");
        resolve({ status: res.statusCode!, headers: res.headers, text, bytes, json: tryParseJson(text) });
      });
    });
    req.on("error", reject);
    req.end(bytes);
  });
}

export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

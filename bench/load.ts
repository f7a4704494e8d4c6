import { connect, type Socket } from "node:net";

export type RequestText = string;

export interface LoadResult {
  perSecond: number;
  requestCount: number;
  /** Number of responses other than 2xx, which make a measurement worthless. */
  failureCount: number;
  firstFailure?: string;
}

interface LoadOptions {
  port: number;
  connections: number;
  seconds: number;
  nextRequest: () => RequestText;
}

/** Returns the text of an HTTP request from a unique client address. */
export function buildRequest(
  method: string,
  path: string,
  { token, body, gzip }: { token?: string; body?: object; gzip?: boolean },
): RequestText {
  const text = body && JSON.stringify(body);
  return [
    `${method} ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    "user-agent: bench",
    `x-forwarded-for: ${nextIpAddress()}`,
    ...(gzip ? ["accept-encoding: gzip"] : []),
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(text ? ["content-type: application/json", `content-length: ${Buffer.byteLength(text)}`] : []),
    "",
    text ?? "",
  ].join("\r\n");
}

let addressCount = 0;
export function nextIpAddress(): string {
  const index = addressCount++;
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}

export function createRotation<T>(
  items: readonly T[],
  buildItemRequest: (item: T) => RequestText,
): () => RequestText {
  let index = 0;
  return () => buildItemRequest(items[index++ % items.length]!);
}

export async function runLoad({ port, connections, seconds, nextRequest }: LoadOptions): Promise<LoadResult> {
  const result: LoadResult = { perSecond: 0, requestCount: 0, failureCount: 0 };
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  const onResponse = (response: Buffer) => {
    result.requestCount++;
    if (response[9] !== "2".charCodeAt(0)) {
      result.failureCount++;
      result.firstFailure ??= response.toString();
    }
    return performance.now() < deadline;
  };
  await Promise.all(Array.from({ length: connections }, () => runClient(port, nextRequest, onResponse)));
  result.perSecond = (result.requestCount * 1000) / (performance.now() - startedAt);
  return result;
}

export async function sendRequest(
  port: number,
  request: RequestText,
): Promise<{ status: number; body: string }> {
  const connection = new Connection(port);
  const text = (await connection.sendRequest(request)).toString();
  connection.end();
  const body = text.slice(text.indexOf("\r\n\r\n") + 4);
  // These bodies have one chunk.
  const content = /\r\ntransfer-encoding: chunked/i.test(text) ? body.split("\r\n")[1]! : body;
  return { status: Number(text.slice(9, 12)), body: content };
}

export class Connection {
  private readonly socket: Socket;
  private receivedBytes: Buffer | undefined;
  private resolveResponse: ((response: Buffer) => void) | undefined;
  private rejectResponse: (error: Error) => void = () => {};

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1").setNoDelay(true);
    this.socket.on("error", (error) => this.rejectResponse(error));
    this.socket.on("close", () => this.rejectResponse(new Error("The server closed the connection.")));
    this.socket.on("data", (chunk: Buffer) => {
      this.receivedBytes = this.receivedBytes ? Buffer.concat([this.receivedBytes, chunk]) : chunk;
      if (!isComplete(this.receivedBytes)) return;
      const response = this.receivedBytes;
      this.receivedBytes = undefined;
      this.resolveResponse?.(response);
    });
  }

  sendRequest(request: RequestText): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.resolveResponse = resolve;
      this.rejectResponse = reject;
      this.socket.write(request);
    });
  }

  end(): void {
    this.socket.destroy();
  }
}

async function runClient(
  port: number,
  nextRequest: () => RequestText,
  onResponse: (response: Buffer) => boolean,
): Promise<void> {
  const connection = new Connection(port);
  let isBusy = true;
  while (isBusy) isBusy = onResponse(await connection.sendRequest(nextRequest()));
  connection.end();
}

const CONTENT_LENGTH_PATTERN = /\r\ncontent-length: *(\d+)/i;

function isComplete(response: Buffer): boolean {
  const headersEnd = response.indexOf("\r\n\r\n");
  if (headersEnd < 0) return false;
  const length = CONTENT_LENGTH_PATTERN.exec(response.toString("latin1", 0, headersEnd));
  if (length) return response.length >= headersEnd + 4 + Number(length[1]);
  return response.toString("latin1", response.length - 5) === "0\r\n\r\n";
}

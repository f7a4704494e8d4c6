import { connect, type Socket } from "node:net";

/** Text of an HTTP request. */
export type Call = string;

export interface Outcome {
  perSecond: number;
  requests: number;
  /** Responses other than 2xx, which make a measurement worthless. */
  failures: number;
  failure?: string;
}

interface Load {
  port: number;
  connections: number;
  seconds: number;
  next: () => Call;
}

/** Returns the text of an HTTP request from a unique address, as a trusted proxy would report it. */
export function call(
  method: string,
  path: string,
  { token, body, gzip }: { token?: string; body?: object; gzip?: boolean },
): Call {
  const text = body && JSON.stringify(body);
  return [
    `${method} ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    "user-agent: bench",
    `x-forwarded-for: ${nextAddress()}`,
    ...(gzip ? ["accept-encoding: gzip"] : []),
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(text ? ["content-type: application/json", `content-length: ${Buffer.byteLength(text)}`] : []),
    "",
    text ?? "",
  ].join("\r\n");
}

let addresses = 0;
export function nextAddress(): string {
  const number = addresses++;
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** Returns a function that makes requests for the items in rotation. */
export function rotate<T>(items: readonly T[], make: (item: T) => Call): () => Call {
  let at = 0;
  return () => make(items[at++ % items.length]!);
}

/** Sends requests over `connections` for `seconds`, one at a time on each connection. */
export async function load({ port, connections, seconds, next }: Load): Promise<Outcome> {
  const outcome: Outcome = { perSecond: 0, requests: 0, failures: 0 };
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const onResponse = (response: Buffer) => {
    outcome.requests++;
    if (response[9] !== "2".charCodeAt(0)) {
      outcome.failures++;
      outcome.failure ??= response.toString();
    }
    return performance.now() < until;
  };
  await Promise.all(Array.from({ length: connections }, () => runClient(port, next, onResponse)));
  outcome.perSecond = (outcome.requests * 1000) / (performance.now() - startedAt);
  return outcome;
}

export async function sendRequest(port: number, request: Call): Promise<{ status: number; body: string }> {
  const connection = new Connection(port);
  const text = (await connection.sendRequest(request)).toString();
  connection.end();
  const body = text.slice(text.indexOf("\r\n\r\n") + 4);
  // Parses the first chunk only, which suffices for these bodies.
  const content = /\r\ntransfer-encoding: chunked/i.test(text) ? body.split("\r\n")[1]! : body;
  return { status: Number(text.slice(9, 12)), body: content };
}

/** Connection for one request at a time. */
export class Connection {
  private readonly socket: Socket;
  private received: Buffer | undefined;
  private done: ((response: Buffer) => void) | undefined;
  private fail: (error: Error) => void = () => {};

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1").setNoDelay(true);
    this.socket.on("error", (error) => this.fail(error));
    this.socket.on("close", () => this.fail(new Error("The server closed the connection.")));
    this.socket.on("data", (chunk: Buffer) => {
      this.received = this.received ? Buffer.concat([this.received, chunk]) : chunk;
      if (!isComplete(this.received)) return;
      const response = this.received;
      this.received = undefined;
      this.done?.(response);
    });
  }

  sendRequest(request: Call): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.done = resolve;
      this.fail = reject;
      this.socket.write(request);
    });
  }

  end(): void {
    this.socket.destroy();
  }
}

async function runClient(
  port: number,
  next: () => Call,
  onResponse: (response: Buffer) => boolean,
): Promise<void> {
  const connection = new Connection(port);
  let isBusy = true;
  while (isBusy) isBusy = onResponse(await connection.sendRequest(next()));
  connection.end();
}

const LENGTH = /\r\ncontent-length: *(\d+)/i;

function isComplete(response: Buffer): boolean {
  const end = response.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = LENGTH.exec(response.toString("latin1", 0, end));
  if (length) return response.length >= end + 4 + Number(length[1]);
  return response.toString("latin1", response.length - 5) === "0\r\n\r\n";
}

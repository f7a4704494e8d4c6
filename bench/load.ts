import { connect, type Socket } from "node:net";

/** A request, ready to be written to a socket. */
export type Call = string;

export interface Outcome {
  perSecond: number;
  requests: number;
  /** Responses other than 2xx; a measurement with any of them is worthless. */
  failures: number;
  /** The first failed response, to see why. */
  failure?: string;
}

interface Load {
  port: number;
  connections: number;
  seconds: number;
  next: () => Call;
}

/** Writes an HTTP request. Each comes from an address of its own, as a trusted proxy reports it. */
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
    `x-forwarded-for: ${address()}`,
    ...(gzip ? ["accept-encoding: gzip"] : []),
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(text ? ["content-type: application/json", `content-length: ${Buffer.byteLength(text)}`] : []),
    "",
    text ?? "",
  ].join("\r\n");
}

let addresses = 0;
function address(): string {
  const number = addresses++;
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** Keeps so many connections busy for so long, each with one request at a time. */
export async function load({ port, connections, seconds, next }: Load): Promise<Outcome> {
  const outcome: Outcome = { perSecond: 0, requests: 0, failures: 0 };
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const done = (response: Buffer) => {
    outcome.requests++;
    if (response[9] !== "2".charCodeAt(0)) {
      outcome.failures++;
      outcome.failure ??= response.toString();
    }
    return performance.now() < until;
  };
  await Promise.all(Array.from({ length: connections }, () => client(port, next, done)));
  outcome.perSecond = (outcome.requests * 1000) / (performance.now() - startedAt);
  return outcome;
}

/** Sends one request and returns the whole response. */
export function ask(port: number, request: Call): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const taken = (response: Buffer) => {
      const text = response.toString();
      const body = text.slice(text.indexOf("\r\n\r\n") + 4);
      // Chunks are parsed roughly: enough for a body that comes in one.
      const whole = /\r\ntransfer-encoding: chunked/i.test(text) ? body.split("\r\n")[1]! : body;
      resolve({ status: Number(text.slice(9, 12)), body: whole });
      return false;
    };
    client(port, () => request, taken).catch(reject);
  });
}

/** One connection: sends, waits for the whole response, and sends again while `done` allows it. */
function client(port: number, next: () => Call, done: (response: Buffer) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, "127.0.0.1", () => socket.write(next()));
    let received: Buffer | undefined;
    socket.setNoDelay(true);
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.on("data", (chunk: Buffer) => {
      received = received ? Buffer.concat([received, chunk]) : chunk;
      if (!isWhole(received)) return;
      const response = received;
      received = undefined;
      if (done(response)) socket.write(next());
      else socket.destroy();
    });
  });
}

const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Whether a response has arrived completely. */
export function isWhole(response: Buffer): boolean {
  const end = response.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = LENGTH.exec(response.toString("latin1", 0, end));
  if (length) return response.length >= end + 4 + Number(length[1]);
  return response.toString("latin1", response.length - 5) === "0\r\n\r\n";
}

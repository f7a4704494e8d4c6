import { connect } from "node:net";

export interface Exchange {
  text: string;
  statuses: number[];
  /** Milliseconds until the server closed the connection; undefined if still open. */
  closedAfter: number | undefined;
}

interface Options {
  /** Stops waiting after this many milliseconds. */
  timeout?: number;
  /** Data to send later, in milliseconds after connecting. */
  later?: Array<{ after: number; send: string | Buffer }>;
}

/** Sends raw bytes and collects the response until the server closes. */
export function sendRaw(
  port: number,
  first: string | Buffer,
  { timeout = 30_000, later = [] }: Options = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const chunks: Buffer[] = [];
    let timers: NodeJS.Timeout[] = [];
    const socket = connect({ port, host: "127.0.0.1" }, () => {
      socket.write(first);
      timers = later.map(({ after, send }) => setTimeout(() => socket.writable && socket.write(send), after));
    });
    const done = (closed: boolean) => {
      clearTimeout(wait);
      for (const timer of timers) clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString("latin1");
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ text, statuses, closedAfter: closed ? performance.now() - startedAt : undefined });
    };
    const wait = setTimeout(() => done(false), timeout);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.on("close", () => done(true));
  });
}

export function requestText(line: string, headers: string[], body = ""): string {
  return [line, "Host: panel.test", ...headers, "", body].join("\r\n");
}

import { connect } from "node:net";

/** What a raw connection received. */
export interface Exchange {
  text: string;
  /** Status lines, in order: `[200, 404]`. */
  statuses: number[];
  /** Milliseconds until the server closed the connection; undefined when it was still open. */
  closedAfter: number | undefined;
}

interface Options {
  /** Stops listening after so many milliseconds. */
  patience?: number;
  /** Sent later, one by one. */
  later?: Array<{ after: number; send: string | Buffer }>;
}

/** Writes raw bytes to a port and collects what is received until the server closes. */
export function exchange(
  port: number,
  first: string | Buffer,
  { patience = 30_000, later = [] }: Options = {},
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
    const wait = setTimeout(() => done(false), patience);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.on("close", () => done(true));
  });
}

/** Builds a request with these header lines and an optional text body. */
export function requestText(line: string, headers: string[], body = ""): string {
  return [line, "Host: panel.test", ...headers, "", body].join("\r\n");
}

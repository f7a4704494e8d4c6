import { connect } from "node:net";

export interface RawResponse {
  text: string;
  statuses: number[];
  /** Milliseconds until the server closed the connection; undefined if still open. */
  closedAfterMs: number | undefined;
}

interface RawRequestOptions {
  timeout?: number;
  /** Data to send later, in milliseconds after connecting. */
  later?: Array<{ after: number; send: string | Buffer }>;
}

export function sendRawRequest(
  port: number,
  data: string | Buffer,
  { timeout = 30_000, later = [] }: RawRequestOptions = {},
): Promise<RawResponse> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const chunks: Buffer[] = [];
    let timers: NodeJS.Timeout[] = [];
    const socket = connect({ port, host: "127.0.0.1" }, () => {
      socket.write(data);
      timers = later.map(({ after, send }) => setTimeout(() => socket.writable && socket.write(send), after));
    });
    const finish = (isClosed: boolean) => {
      clearTimeout(timeoutTimer);
      for (const timer of timers) clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString("latin1");
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ text, statuses, closedAfterMs: isClosed ? performance.now() - startedAt : undefined });
    };
    const timeoutTimer = setTimeout(() => finish(false), timeout);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
  });
}

export function buildRequestText(requestLine: string, headers: string[], body = ""): string {
  return [requestLine, "Host: panel.test", ...headers, "", body].join("\r\n");
}

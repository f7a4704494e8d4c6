import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

/** A way to a server that can be made to hang, as when the server's host is frozen. */
export interface Proxy {
  /** The given address, by way of the proxy. */
  url: string;
  /** From now on connections are accepted, and nothing is passed on. */
  freeze(): void;
  thaw(): void;
}

/** Opens a proxy to the server of an address, on the port `at` or any; it is closed after the file's last test. */
export async function openProxy(target: string, at = 0): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("data", (bytes) => to.write(bytes));
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (frozen) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  afterAll(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const set = (now: boolean) => {
    frozen = now;
    for (const socket of sockets) now ? socket.pause() : socket.resume();
  };
  return { url: url.href, freeze: () => set(true), thaw: () => set(false) };
}

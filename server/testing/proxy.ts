import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

/** A TCP proxy that can freeze, as when a server's host hangs. */
export interface FreezableProxy {
  url: string;
  freeze(): void;
  thaw(): void;
}

/** Starts a proxy on port `localPort`, or any free one; closed after the file's last test. */
export async function openProxy(targetUrl: string, localPort = 0): Promise<FreezableProxy> {
  const { hostname, port } = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
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
      if (isFrozen) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(localPort, "127.0.0.1", resolve));
  afterAll(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const setFrozen = (shouldFreeze: boolean) => {
    isFrozen = shouldFreeze;
    for (const socket of sockets) shouldFreeze ? socket.pause() : socket.resume();
  };
  return { url: url.href, freeze: () => setFrozen(true), thaw: () => setFrozen(false) };
}

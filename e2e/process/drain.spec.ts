import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { ServerProcess } from "../server-process";

const CREDENTIALS = { email: "customer@example.com", password: "demo-password" };

/**
 * Round-robin proxy over the ready servers, with keep-alive and without retries. It must notice a draining
 * server before DRAIN_SECONDS are over, and close idle connections before the server does.
 */
class Balancer {
  private turn = 0;
  private readonly agent = new Agent({ keepAlive: true, timeout: 1500 });
  private readonly readyServers = new Set<ServerProcess>();
  private timer: NodeJS.Timeout | undefined;
  private readonly proxy: Server;

  constructor(private readonly servers: ServerProcess[]) {
    this.proxy = createServer((req, res) => {
      const readyServers = this.servers.filter((server) => this.readyServers.has(server));
      const server = readyServers[this.turn++ % readyServers.length];
      const upstream = request(
        {
          port: server?.port,
          host: "127.0.0.1",
          agent: this.agent,
          method: req.method,
          path: req.url,
          headers: req.headers,
        },
        (upstreamResponse) => {
          res.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
          upstreamResponse.pipe(res);
        },
      );
      upstream.on("error", (error) => res.writeHead(502).end(error.message));
      req.pipe(upstream);
    });
  }

  async open(): Promise<string> {
    await expect
      .poll(() => this.checkReadiness().then(() => this.readyServers.size), { timeout: 60_000 })
      .toBe(this.servers.length);
    this.timer = setInterval(() => void this.checkReadiness(), 250);
    await new Promise<void>((resolve) => this.proxy.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.proxy.address() as AddressInfo).port}`;
  }

  close(): void {
    clearInterval(this.timer);
    this.proxy.closeAllConnections();
    this.proxy.close();
    this.agent.destroy();
  }

  private async checkReadiness(): Promise<void> {
    await Promise.all(
      this.servers.map(async (server) => {
        const health = await server.call("GET", "/api/health/ready").catch(() => undefined);
        if (health?.status === 200) this.readyServers.add(server);
        else this.readyServers.delete(server);
      }),
    );
  }
}

test("no request fails while one of two servers behind a proxy restarts", async () => {
  const firstServer = await ServerProcess.create({}, "demo");
  await firstServer.start();
  const secondServer = await ServerProcess.create({
    APP_SECRET: firstServer.env.APP_SECRET!,
    DATABASE_URL: firstServer.getDatabaseUrl(),
    DRAIN_SECONDS: "3",
  });
  const balancer = new Balancer([firstServer, secondServer]);
  try {
    await secondServer.start();
    const url = await balancer.open();
    const { token } = (await firstServer.call("POST", "/api/auth/login", { body: CREDENTIALS })).body;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const outcomes: string[] = [];
    let isSending = true;
    const startClient = async (sendRequest: (count: number) => Promise<Response>) => {
      for (let count = 0; isSending; count++) {
        const outcome = await sendRequest(count).then(
          async (response) => `${response.status} ${response.ok ? "" : await response.text()}`,
          (error: Error) => String(error.cause ?? error),
        );
        outcomes.push(outcome.trim());
        await sleep(50);
      }
    };
    const createBody = (count: number) => JSON.stringify({ name: `Name ${count}` });
    const clients = [
      startClient(() => fetch(`${url}/api/user`, { headers })),
      startClient(() => fetch(`${url}/api/sites`, { headers })),
      startClient((count) => fetch(`${url}/api/user`, { method: "PUT", headers, body: createBody(count) })),
      startClient(() => fetch(`${url}/sign-in`)),
    ];
    await expect.poll(() => outcomes.length, { timeout: 30_000 }).toBeGreaterThan(20);
    expect(await secondServer.stop(), "graceful stop").toBe(0);
    const countAfterStop = outcomes.length;
    await secondServer.start();
    await expect.poll(() => outcomes.length, { timeout: 30_000 }).toBeGreaterThan(countAfterStop + 20);
    isSending = false;
    await Promise.all(clients);
    expect([...new Set(outcomes)]).toEqual(["200"]);
  } finally {
    balancer.close();
    await secondServer.dispose();
    await firstServer.dispose();
  }
});

import { setTimeout as sleep } from "node:timers/promises";
import { Agent, fetch } from "undici";

/** Calls an installation by its public name from several loopback addresses. */
export class Visitors {
  private readonly agents = new Map<string, Agent>();

  constructor(
    readonly origin: string,
    private readonly ca: string,
  ) {}

  async fetch(
    path: string,
    {
      method = "GET",
      token,
      body,
      clientAddress = "127.0.0.1",
    }: { method?: string; token?: string; body?: object; clientAddress?: string } = {},
  ): Promise<{ status: number; text: string }> {
    const response = await fetch(new URL(path, this.origin), {
      method,
      dispatcher: this.getAgent(clientAddress),
      signal: AbortSignal.timeout(30_000),
      headers: {
        accept: path.startsWith("/api/") ? "application/json" : "text/html",
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }

  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own body
  async call(method: string, path: string, options: { token?: string; body?: object } = {}): Promise<any> {
    const { status, text } = await this.fetch(path, { method, ...options });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text);
  }

  async viewPage(path: string, clientAddress: string): Promise<{ files: string[]; failures: string[] }> {
    const page = await this.fetch(path, { clientAddress });
    if (page.status !== 200) return { files: [], failures: [`${page.status} ${path}`] };
    const files = [
      ...new Set([...page.text.matchAll(/\/_next\/static\/[\w./%~-]+\.\w+/g)].map(([file]) => file)),
    ];
    const failureLists = await Promise.all(
      files.map(async (file) => {
        const { status } = await this.fetch(file, { clientAddress });
        return status === 200 ? [] : [`${status} ${file} of ${path}`];
      }),
    );
    return { files, failures: failureLists.flat() };
  }

  private getAgent(localAddress: string): Agent {
    let agent = this.agents.get(localAddress);
    if (!agent) {
      const lookup = (_host: string, { all }: { all?: boolean }, callback: (...args: unknown[]) => void) =>
        all ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4);
      agent = new Agent({ connect: { ca: this.ca, localAddress, lookup: lookup as never } });
      this.agents.set(localAddress, agent);
    }
    return agent;
  }

  async close(): Promise<void> {
    for (const agent of this.agents.values()) await agent.close();
  }
}

/** Makes calls and page views at a steady rate until {@link stop}, and collects failures. */
export class Traffic {
  readonly failures: string[] = [];
  callCount = 0;
  viewCount = 0;
  fileCount = 0;
  private isActive = true;
  private readonly startedAt = performance.now();
  private readonly repetitions: Promise<void>[] = [];

  constructor(
    visitors: Visitors,
    {
      token,
      callsPerSecond,
      viewsPerSecond,
    }: { token: string; callsPerSecond: number; viewsPerSecond: number },
  ) {
    const paths = ["/api/auth/user", "/api/sites", "/api/billing", "/api/health"];
    this.repeat(callsPerSecond, async (turn) => {
      this.callCount += 1;
      const path = paths[turn % paths.length]!;
      const { status } = await visitors.fetch(path, { token, clientAddress: getClientAddress(turn) });
      if (status !== 200) this.fail(`${status} ${path}`);
    });
    this.repeat(viewsPerSecond, async (turn) => {
      this.viewCount += 1;
      const { files, failures } = await visitors.viewPage(
        turn % 2 ? "/sign-in" : "/docs",
        getClientAddress(turn),
      );
      this.fileCount += files.length;
      for (const each of failures) this.fail(each);
    });
  }

  private fail(message: string): void {
    this.failures.push(`${((performance.now() - this.startedAt) / 1000).toFixed(1)} s: ${message}`);
  }

  private repeat(perSecond: number, work: (turn: number) => Promise<void>): void {
    this.repetitions.push(
      (async () => {
        const pending: Promise<void>[] = [];
        for (let turn = 0; this.isActive; turn++) {
          pending.push(
            work(turn).catch((error: Error) => {
              this.fail(`${error.message} ${(error.cause as Error | undefined)?.message ?? ""}`);
            }),
          );
          await sleep(1000 / perSecond);
        }
        await Promise.all(pending);
      })(),
    );
  }

  async stop(): Promise<void> {
    this.isActive = false;
    await Promise.all(this.repetitions);
  }
}

/** Spreads calls over 200 addresses, because rate limits count by address. */
const getClientAddress = (turn: number) => `127.0.1.${1 + (turn % 200)}`;

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { findFreePort } from "@/server/testing/ports";

export interface TestResponse {
  status: number;
  body: Record<string, unknown>;
}

/** Initial data directory: demo data, migrations only, or nothing, as at a first start. */
type InitialData = "demo" | "empty" | "nothing";

/** Production server in its own process and data directory, which tests can kill and restart. */
export class ServerProcess {
  output = "";
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly settings: Record<string, string>,
    readonly dataDir: string,
    private readonly projectFolder?: string,
  ) {}

  /** Creates a server without starting it. Copies prepared data, if any, so that the start is faster. */
  static async create(
    settings: Record<string, string> = {},
    initialData: InitialData = "nothing",
  ): Promise<ServerProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), "tellal-process-"));
    const { PREPARED_DATA: folder, PREPARED_SECRET: secret } = process.env;
    if (initialData === "nothing" || !folder || !secret)
      return new ServerProcess(await findFreePort(), settings, dataDir);
    copyData(await ensurePreparedData(initialData, folder), dataDir);
    return new ServerProcess(await findFreePort(), { APP_SECRET: secret, ...settings }, dataDir);
  }

  /** Creates and starts a server. */
  static async start(settings?: Record<string, string>, initialData?: InitialData): Promise<ServerProcess> {
    const server = await ServerProcess.create(settings, initialData);
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.dispose();
      throw error;
    }
  }

  /** Starts and stops a server once, so that its data directory can be copied. */
  static async createPreparedData(
    initialData: keyof typeof PREPARED_SETTINGS,
    dataDir: string,
  ): Promise<void> {
    mkdirSync(dataDir, { mode: 0o700 });
    const settings = { APP_SECRET: process.env.PREPARED_SECRET!, ...PREPARED_SETTINGS[initialData] };
    const server = new ServerProcess(await findFreePort(), settings, dataDir);
    try {
      await server.start();
      const code = await server.stop();
      if (code !== 0) throw new Error(`The server stopped with ${code}:\n${server.output}`);
    } catch (error) {
      await server.dispose();
      throw error;
    }
  }

  /** Creates a server for another copy of the project, with its default data directory. */
  static async createIn(folder: string): Promise<ServerProcess> {
    return new ServerProcess(await findFreePort(), {}, join(folder, ".data"), folder);
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  get env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      UV_THREADPOOL_SIZE: "2",
      PORT: String(this.port),
      APP_URL: this.url,
      DATA_DIR: this.dataDir,
      TRUSTED_PROXY_HOPS: "1",
      STRICT_OUTPUT: "true",
      LOG_LEVEL: "warn",
      ...this.settings,
    };
  }

  /** Waits until the server is healthy. `discardOutput` closes its pipes, as a dead log collector does. */
  async start({ discardOutput = false } = {}): Promise<void> {
    const startedAt = performance.now();
    this.output = "";
    const child = spawn(process.execPath, ["dist/main.js"], {
      cwd: this.projectFolder,
      // Its own process group, so that it can be killed as a whole.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: this.env,
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      if (discardOutput) stream?.destroy();
      stream?.on("data", (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
    while (child.exitCode === null && performance.now() - startedAt < 180_000) {
      const health = await this.call("GET", "/api/health").catch(() => undefined);
      if (health?.status === 200) return;
      await sleep(50);
    }
    throw new Error(`The server did not start:\n${this.output}`);
  }

  /** Returns the CPU time used so far, in seconds. Requires METRICS_PORT. */
  async readCpuSeconds(): Promise<number> {
    const metrics = await fetch(`http://127.0.0.1:${this.settings.METRICS_PORT}/metrics`);
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(await metrics.text())![1]);
  }

  /** Process id of the server that the supervisor started; undefined if it does not run. */
  get pid(): number | undefined {
    return findChildPid(this.child?.pid, "server-process.js");
  }

  get rendererPid(): number | undefined {
    return findChildPid(this.pid, "pages.js");
  }

  /** Sends SIGKILL to the server and its supervisor only. */
  async killServerAndSupervisor(): Promise<void> {
    const { pid } = this;
    this.child?.kill("SIGKILL");
    if (pid) killGroup(pid);
    await this.waitForExit();
  }

  /** Sends SIGKILL to the whole group; with `database`, also to PostgreSQL's group. */
  async kill({ database }: { database: boolean }): Promise<void> {
    const pids = [this.child?.pid, database ? this.readPostgresPid() : undefined];
    for (const pid of pids) if (pid) killGroup(pid);
    await this.waitForExit();
  }

  async stop(): Promise<number | null> {
    this.child?.kill("SIGTERM");
    return this.waitForExit();
  }

  async dispose(): Promise<void> {
    await this.kill({ database: true });
    // Killed processes of PostgreSQL may still write for a moment.
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  readPostgresPid(): number | undefined {
    try {
      return Number(readFileSync(join(this.dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
    } catch {
      return undefined;
    }
  }

  getDatabaseUrl(): string {
    const password = readFileSync(join(this.dataDir, "postgres.password"), "utf8").trim();
    const port = readFileSync(join(this.dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[3];
    const rolePassword = createHmac("sha256", password).update("tellal").digest("hex");
    return `postgresql://tellal:${rolePassword}@127.0.0.1:${port}/tellal`;
  }

  async sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.getDatabaseUrl() });
    await client.connect();
    try {
      return (await client.query(text, values)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async call(
    method: string,
    path: string,
    {
      body,
      token,
      clientAddress,
      headers,
    }: { body?: unknown; token?: string; clientAddress?: string; headers?: Record<string, string> } = {},
  ): Promise<TestResponse> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(clientAddress && { "x-forwarded-for": clientAddress }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async signIn(email = "customer@example.com", password = "demo-password"): Promise<string> {
    const { body } = await this.call("POST", "/api/auth/login", { body: { email, password } });
    return String(body.token);
  }

  private async waitForExit(): Promise<number | null> {
    const { child } = this;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) {
      await new Promise((resolve) => child.once("exit", resolve));
    }
    return child.exitCode;
  }
}

function findChildPid(pid: number | undefined, program: string): number | undefined {
  if (!pid) return undefined;
  const { stdout } = spawnSync("pgrep", ["-P", String(pid), "-f", program], { encoding: "utf8" });
  return Number(stdout) || undefined;
}

function killGroup(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, "SIGKILL");
    } catch {
      // Already ended, or not a group leader.
    }
  }
}

const PREPARED_SETTINGS = {
  demo: {},
  empty: { APP_MODE: "production", HOST: "127.0.0.1", SEED: "none" },
} satisfies Record<string, Record<string, string>>;

/** Returns the folder of prepared data. The first worker that needs it creates it; the others wait. */
async function ensurePreparedData(
  initialData: keyof typeof PREPARED_SETTINGS,
  folder: string,
): Promise<string> {
  const [readyFolder, partialFolder] = [join(folder, initialData), join(folder, `${initialData}.half`)];
  for (let waitedMs = 0; !existsSync(readyFolder); waitedMs += 100) {
    if (waitedMs > 180_000) throw new Error(`${partialFolder} was not finished`);
    if (tryLock(join(folder, `${initialData}.lock`))) {
      try {
        await ServerProcess.createPreparedData(initialData, partialFolder);
        renameSync(partialFolder, readyFolder);
      } finally {
        rmSync(join(folder, `${initialData}.lock`), { recursive: true });
      }
    } else await sleep(100);
  }
  return readyFolder;
}

function tryLock(lockFolder: string): boolean {
  try {
    mkdirSync(lockFolder);
    return true;
  } catch {
    return false;
  }
}

/** Copies data without PostgreSQL's stored port: otherwise two servers would use the same port. */
function copyData(from: string, to: string): void {
  const reflink = process.platform === "linux" ? ["--reflink=auto"] : [];
  execFileSync("cp", ["-a", ...reflink, `${from}/.`, to]);
  rmSync(join(to, "postgres.port"), { force: true });
}

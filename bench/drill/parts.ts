import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { buildServerEnv } from "../servers";

/* Parts of an installation: processes that are restarted when they die, as by systemd. */

const GUIDE = readFileSync("docs/operating-servers.md", "utf8");
/** User and group id for programs that refuse to run as root; undefined if we are not root. */
const NOBODY_ID = process.getuid?.() === 0 ? 65_534 : undefined;

export class Part {
  private child: ChildProcess | undefined;
  private shouldRun = false;
  private spawnError: Error | undefined;
  startCount = 0;

  constructor(
    readonly name: string,
    private readonly logFile: string,
    private readonly command: [string, ...string[]],
    private readonly options: {
      env?: NodeJS.ProcessEnv;
      cwd?: string;
      unprivileged?: boolean;
      /** Rejects while the part does not serve. */
      probe: () => Promise<unknown>;
    },
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Waits up to five minutes until the process serves. Throws if the program is not installed. */
  async start(): Promise<void> {
    this.shouldRun = true;
    this.launch();
    await this.waitUntilReady();
  }

  async waitUntilReady(): Promise<void> {
    for (const deadline = Date.now() + 300_000; ; await sleep(100)) {
      if (
        await this.options.probe().then(
          () => true,
          () => false,
        )
      )
        return;
      if (this.spawnError) throw new Error(`${this.name} cannot be started`, { cause: this.spawnError });
      if (Date.now() > deadline)
        throw new Error(`${this.name} does not serve:\n${readFileSync(this.logFile, "utf8").slice(-2000)}`);
    }
  }

  private launch(): void {
    const [program, ...args] = this.command;
    const output = openSync(this.logFile, "a");
    this.startCount += 1;
    const identity = this.options.unprivileged && NOBODY_ID ? { uid: NOBODY_ID, gid: NOBODY_ID } : {};
    const child = spawn(program, args, {
      ...identity,
      cwd: this.options.cwd,
      env: this.options.env ?? process.env,
      stdio: ["ignore", output, output],
    });
    this.child = child;
    child.once("error", (cause) => {
      this.spawnError = cause;
    });
    child.once("exit", () => {
      if (this.shouldRun && this.child === child) setTimeout(() => this.shouldRun && this.launch(), 1000);
    });
  }

  kill(): void {
    this.child?.kill("SIGKILL");
  }

  /** Stops the process with `signal`, or with SIGKILL after 40 seconds. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.shouldRun = false;
    const { child } = this;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const exitPromise = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    const killTimer = setTimeout(() => child.kill("SIGKILL"), 40_000);
    await exitPromise;
    clearTimeout(killTimer);
  }
}

function readDocumentedConfig(language: string): string {
  const config = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(GUIDE)?.[1];
  if (!config) throw new Error(`docs/operating-servers.md has no lines for ${language}`);
  return config;
}

/** Returns PG_BIN, or the directory of the newest PostgreSQL that Debian has installed. */
function findPostgresPrograms(): string {
  const root = "/usr/lib/postgresql";
  const newestVersion = existsSync(root)
    ? readdirSync(root).sort((a, b) => Number(b) - Number(a))[0]
    : undefined;
  const folder = process.env.PG_BIN ?? (newestVersion && join(root, newestVersion, "bin"));
  if (!folder) throw new Error("PostgreSQL is not installed: apt-get install postgresql, or set PG_BIN");
  return folder;
}

export const DATABASE_PASSWORD = "drill";

export function createPostgres(directory: string, port: number): { part: Part; version: string } {
  const programFolder = findPostgresPrograms();
  const dataDirectory = join(directory, "postgres");
  const identity = NOBODY_ID ? { uid: NOBODY_ID, gid: NOBODY_ID } : {};
  mkdirSync(dataDirectory);
  if (NOBODY_ID) chownSync(dataDirectory, NOBODY_ID, NOBODY_ID);
  execFileSync(
    join(programFolder, "initdb"),
    [
      "-D",
      dataDirectory,
      "-A",
      "trust",
      "-U",
      "postgres",
      "-E",
      "UTF8",
      "--locale-provider=icu",
      "--icu-locale=und",
    ],
    { ...identity, stdio: "ignore" },
  );
  const part = new Part(
    "PostgreSQL",
    join(directory, "postgres.log"),
    [
      join(programFolder, "postgres"),
      "-D",
      dataDirectory,
      "-p",
      `${port}`,
      "-k",
      dataDirectory,
      "-h",
      "127.0.0.1",
      "-c",
      "max_connections=200",
    ],
    {
      unprivileged: true,
      probe: () => queryRows(`postgresql://postgres@127.0.0.1:${port}/postgres`, "select 1"),
    },
  );
  const version = execFileSync(join(programFolder, "postgres"), ["--version"]).toString().trim();
  return { part, version };
}

export function createPgBouncer(
  directory: string,
  port: number,
  { databasePort, mode }: { databasePort: number; mode: string },
): Part {
  const usersFile = join(directory, "users.txt");
  writeFileSync(usersFile, `"tellal" "${DATABASE_PASSWORD}"\n`);
  const config = readDocumentedConfig("ini")
    .replace("10.0.0.5 port=5432", `127.0.0.1 port=${databasePort}`)
    .replace(
      "pool_mode=transaction pool_size=40",
      mode === "session" ? "pool_mode=session pool_size=120" : "$&",
    )
    .replace("10.0.0.6", "127.0.0.1")
    .replace("6432", String(port))
    .replace("/etc/pgbouncer/users.txt", usersFile);
  const file = join(directory, `pgbouncer-${mode}.ini`);
  writeFileSync(file, `${config}unix_socket_dir =\n`);
  return new Part("PgBouncer", join(directory, "pgbouncer.log"), ["pgbouncer", file], {
    unprivileged: true,
    probe: () => queryRows(`postgresql://tellal:${DATABASE_PASSWORD}@127.0.0.1:${port}/tellal`, "select 1"),
  });
}

export function createRedis(directory: string, port: number): Part {
  const command: [string, ...string[]] = [
    "redis-server",
    "--port",
    `${port}`,
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--dir",
    directory,
  ];
  return new Part("Redis", join(directory, "redis.log"), command, { probe: () => pingRedis(port) });
}

/** Sends PING over a socket: redis-cli may not be installed. */
async function pingRedis(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  try {
    socket.end("PING\r\n");
    const [response] = (await once(socket, "data")) as [Buffer];
    if (!response.toString().startsWith("+PONG")) throw new Error(response.toString());
  } finally {
    socket.destroy();
  }
}

/** Returns nginx with the documented configuration, without TLS. */
export function createNginx(directory: string, port: number, serverPorts: [number, number]): Part {
  const config = readDocumentedConfig("nginx")
    .replace("10.0.0.11:3001", `127.0.0.1:${serverPorts[0]}`)
    .replace("10.0.0.12:3001", `127.0.0.1:${serverPorts[1]}`)
    .replace("443 ssl", `127.0.0.1:${port}`)
    .replace(/ *ssl_certificate.*\n/g, "");
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(directory, `nginx-${name}`)};`)
    .join(" ");
  const file = join(directory, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; pid ${join(directory, "nginx.pid")}; events { worker_connections 1024; }\nhttp {\naccess_log off; ${folders}\n${config}}\n`,
  );
  return new Part(
    "nginx",
    join(directory, "nginx.log"),
    ["nginx", "-c", file, "-e", join(directory, "nginx.log")],
    {
      probe: () => fetch(`http://127.0.0.1:${port}/`),
    },
  );
}

/** Returns a server or worker with its own data directory, unless `settings` name one. */
export function createAppProcess(
  directory: string,
  name: string,
  {
    port,
    file,
    settings,
    root = process.cwd(),
  }: { port: number; file: string; settings: Record<string, string>; root?: string },
): Part {
  const folder = name.replace(" ", "-");
  const env = buildServerEnv({
    DATA_DIR: join(directory, folder),
    ...settings,
    PORT: String(port),
    LOG_LEVEL: "warn",
  });
  const probe = file.endsWith("main.js") ? () => requireReady(port) : async () => {};
  const command: [string, ...string[]] = [process.execPath, file];
  return new Part(name, join(directory, `${folder}.log`), command, { env, cwd: root, probe });
}

async function requireReady(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/health/ready`);
  if (!response.ok) throw new Error(String(response.status));
}

export async function queryRows<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

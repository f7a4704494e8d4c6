import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Context, UserActor } from "@/server/core/context";
import { closeDatabase, openDatabase } from "@/server/infrastructure/database/client";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/server/infrastructure/database/embedded";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { migrateJobQueue } from "@/server/infrastructure/jobs/worker";
import { type Server, type ServerKind, startServer } from "./servers";

let benchDirectory: string | undefined;
let postgres: EmbeddedPostgres | undefined;
const servers: Server[] = [];
let cleanUpPromise: Promise<void> | undefined;

/** Stops the servers and the database and removes their files. Works once; later calls wait for it. */
export function cleanUp(): Promise<void> {
  cleanUpPromise ??= (async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await closeDatabase();
    await postgres?.stop();
    if (benchDirectory) await rm(benchDirectory, { recursive: true, force: true });
  })();
  return cleanUpPromise;
}

function ensureDirectory(): string {
  if (benchDirectory) return benchDirectory;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void cleanUp().finally(() => process.exit(1)));
  benchDirectory = mkdtempSync(join(tmpdir(), "tellal-bench-"));
  return benchDirectory;
}

export function getDataDirectory({ port }: Server): string {
  return join(ensureDirectory(), String(port));
}

export async function startDatabase(): Promise<EmbeddedPostgres> {
  postgres = await startEmbeddedPostgres({ dataDir: join(ensureDirectory(), "database"), ephemeral: true });
  return postgres;
}

/** Starts and fills the database, and connects the code in this process to it. Returns its URL. */
export async function connectDatabase(fillDatabase: (url: string) => Promise<unknown>): Promise<string> {
  const { url } = await startDatabase();
  await fillDatabase(url);
  openDatabase(url);
  await migrateJobQueue();
  return url;
}

export async function startTrackedServer(
  kind: ServerKind,
  databaseUrl: string,
  options?: { root?: string; env?: Record<string, string> },
): Promise<Server> {
  const server = await startServer(kind, databaseUrl, ensureDirectory(), options);
  servers.push(server);
  return server;
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export function runSql(url: string, text: string): Promise<pg.QueryResult> {
  return withClient(url, (client) => client.query(text));
}

export function createCallContext(id: number, role: "user" | "reseller" | "admin"): Context<UserActor> {
  return {
    ...withoutTransaction(),
    actor: {
      kind: "user",
      id,
      role,
      scope: { userId: id, role, onlySiteId: null, isAgent: false } as UserActor["scope"],
      emailVerified: true,
      isFromProvider: false,
      token: { id: 1, kind: "sign_in", abilities: ["*"], createdAt: new Date() },
    },
    requestId: "bench",
    ip: "127.0.0.1",
    userAgent: null,
    acceptLanguage: null,
    host: null,
    locale: "tr",
  };
}

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { SECOND } from "@/server/core/time";
import { bindToTrace } from "../tracing/trace";
import { Connection } from "./connection";
import { type Prisma, PrismaClient } from "./generated/client";
import { ReadLanes } from "./lanes";
import { captureConnection } from "./shared-transaction";
import { getStatementTimeoutMs } from "./statement-timeout";

declare module "@/server/core/sql" {
  interface DatabaseTypes {
    client: PrismaClient | Prisma.TransactionClient;
  }
}

// On globalThis: the server's and Next's bundle each contain a copy of this module, but must share one pool.
const globals = globalThis as {
  tellalPool?: pg.Pool;
  tellalLanes?: ReadLanes;
  tellalPrisma?: PrismaClient;
  tellalDirectPool?: pg.Pool;
};

export function pool(): pg.Pool {
  if (!globals.tellalPool) openDatabase(env().DATABASE_URL);
  return globals.tellalPool!;
}

/** Returns a pool for the job queue and LISTEN, which need a connection without a pooler. */
export function directPool(): pg.Pool {
  const { DATABASE_DIRECT_URL } = env();
  if (!DATABASE_DIRECT_URL) return pool();
  globals.tellalDirectPool ??= openPool(DATABASE_DIRECT_URL, { limitsStatements: true });
  return globals.tellalDirectPool;
}

export function getReadLanes(): ReadLanes {
  pool();
  return globals.tellalLanes!;
}

export function openDatabase(connectionString: string | undefined): void {
  if (!connectionString)
    throw new Error("No database: DATABASE_URL is not set and no embedded server was started");
  // Behind a transaction pooler, a session setting would leak to other clients: the role sets the limit.
  const limitsStatements = env().DATABASE_STATEMENTS === "named";
  globals.tellalPool = openPool(connectionString, { limitsStatements });
  globals.tellalLanes = new ReadLanes(
    toClientConfig(connectionString),
    limitsStatements ? setStatementTimeout : undefined,
  );
}

/** `statement_timeout` in milliseconds. */
export const STATEMENT_TIMEOUT_MS = 30 * SECOND;

/** Sets the timeout on a new connection: poolers reject it as a startup parameter. */
async function setStatementTimeout(client: pg.ClientBase): Promise<void> {
  await client.query(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
}

function toClientConfig(connectionString: string): pg.ClientConfig {
  return { connectionString, connectionTimeoutMillis: getConnectionTimeoutMs(), application_name: "tellal" };
}

function openPool(connectionString: string, { limitsStatements }: { limitsStatements: boolean }): pg.Pool {
  const newPool = new pg.Pool({
    ...toClientConfig(connectionString),
    Client: Connection,
    ...(limitsStatements && { onConnect: setStatementTimeout }),
    max: env().DATABASE_POOL_SIZE,
    // Long, because a closed connection loses its prepared statements.
    idleTimeoutMillis: 10 * 60_000,
  });
  // The pool copies its options, so the getter must be defined on the copy.
  Object.defineProperty(newPool.options, "connectionTimeoutMillis", { get: getConnectionTimeoutMs });
  // Without error listeners, a connection closed by the server would crash the process.
  const logConnectionLoss = (error: Error) =>
    log.warn({ event: "database.connection_lost", reason: error.message });
  const connect = newPool.connect.bind(newPool) as (callback?: (...args: never[]) => void) => never;
  newPool.connect = (callback?: (...args: never[]) => void) =>
    callback ? connect(bindToTrace(callback)) : captureConnection(connect());
  newPool.on("error", logConnectionLoss);
  newPool.on("connect", (client) => client.on("error", logConnectionLoss));
  waitForConnectionsOnEnd(newPool);
  return newPool;
}

const POOL_CLOSE_TIMEOUT_MS = 5 * SECOND;

/** Makes `end` wait until all connections are closed; else stopping the embedded server reports errors. */
function waitForConnectionsOnEnd(newPool: pg.Pool): void {
  const clients = new Set<pg.PoolClient>();
  newPool.on("connect", (client) => {
    clients.add(client);
    client.once("end", () => clients.delete(client));
  });
  const end = newPool.end.bind(newPool) as () => Promise<void>;
  newPool.end = async () => {
    // Not `once()` of node:events, which rejects on an error event.
    const endPromises = [...clients].map(
      (client) => new Promise<void>((resolve) => client.once("end", resolve)),
    );
    await end();
    await Promise.race([Promise.all(endPromises), sleep(POOL_CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  };
}

function getConnectionTimeoutMs(): number {
  return Math.min(getStatementTimeoutMs(), 10_000);
}

export function prisma(): PrismaClient {
  globals.tellalPrisma ??= new PrismaClient({
    // The other formats look up the source line of every call, which costs a tenth of a query.
    errorFormat: "minimal",
    adapter: new PrismaPg(pool(), {
      statementNameGenerator: ({ sql }) => getStatementName(sql) as string,
    }),
  });
  return globals.tellalPrisma;
}

/** Limits prepared statements: each takes memory in every back end, and list arguments produce new texts. */
const MAX_STATEMENT_NAMES = 500;
const statementNames = new Map<string, string>();

/** Returns undefined for an unnamed statement, which the driver allows although its type does not. */
function getStatementName(text: string): string | undefined {
  const existing = statementNames.get(text);
  if (existing) return existing;
  if (statementNames.size >= MAX_STATEMENT_NAMES) return undefined;
  const name = `p${createHash("sha1").update(text).digest("hex").slice(0, 16)}`;
  statementNames.set(text, name);
  return name;
}

export async function closeDatabase(): Promise<void> {
  await globals.tellalPrisma?.$disconnect();
  await globals.tellalLanes?.end();
  if (globals.tellalPool && !globals.tellalPool.ended) await globals.tellalPool.end();
  await globals.tellalDirectPool?.end();
  globals.tellalDirectPool = undefined;
  globals.tellalPrisma = undefined;
  globals.tellalPool = undefined;
  globals.tellalLanes = undefined;
}

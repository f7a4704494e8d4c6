import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { SECOND } from "@/server/core/time";
import { bindTrace } from "../tracing/trace";
import { Connection } from "./connection";
import { type Prisma, PrismaClient } from "./generated/client";
import { Lanes } from "./lanes";
import { captureConnection } from "./shared-transaction";
import { statementTimeout } from "./statement-timeout";

declare module "@/server/core/sql" {
  interface DatabaseTypes {
    client: PrismaClient | Prisma.TransactionClient;
  }
}

// On globalThis: the server's and Next's bundle each contain a copy of this module, but must share one pool.
const shared = globalThis as {
  tellalPool?: pg.Pool;
  tellalLanes?: Lanes;
  tellalPrisma?: PrismaClient;
  tellalDirect?: pg.Pool;
};

export function pool(): pg.Pool {
  if (!shared.tellalPool) connectTo(env().DATABASE_URL);
  return shared.tellalPool!;
}

/** Bypasses a pooler, for the job queue and LISTEN; {@link pool} without `DATABASE_DIRECT_URL`. */
export function directPool(): pg.Pool {
  const { DATABASE_DIRECT_URL } = env();
  if (!DATABASE_DIRECT_URL) return pool();
  shared.tellalDirect ??= openPool(DATABASE_DIRECT_URL, { limited: true });
  return shared.tellalDirect;
}

export function lanes(): Lanes {
  pool();
  return shared.tellalLanes!;
}

export function connectTo(connectionString: string | undefined): void {
  if (!connectionString)
    throw new Error("No database: DATABASE_URL is not set and no embedded server was started");
  // Behind a transaction pooler, a session setting would leak to other clients: the role has to set the
  // limit.
  const limited = env().DATABASE_STATEMENTS === "named";
  shared.tellalPool = openPool(connectionString, { limited });
  shared.tellalLanes = new Lanes(configOf(connectionString), limited ? limit : undefined);
}

/** `statement_timeout` in milliseconds. */
export const STATEMENT_LIMIT = 30 * SECOND;

/** Sets the timeout on a new connection: poolers reject it as a startup parameter. */
async function limit(client: pg.ClientBase): Promise<void> {
  await client.query(`set statement_timeout = ${STATEMENT_LIMIT}`);
}

function configOf(connectionString: string): pg.ClientConfig {
  return { connectionString, connectionTimeoutMillis: connectionTimeout(), application_name: "tellal" };
}

function openPool(connectionString: string, { limited }: { limited: boolean }): pg.Pool {
  const opened = new pg.Pool({
    ...configOf(connectionString),
    Client: Connection,
    ...(limited && { onConnect: limit }),
    max: env().DATABASE_POOL_SIZE,
    // Long, because a closed connection loses its prepared statements.
    idleTimeoutMillis: 10 * 60_000,
  });
  // The pool copies its options, so the getter must be defined on the copy.
  Object.defineProperty(opened.options, "connectionTimeoutMillis", { get: connectionTimeout });
  // Without error listeners, a connection closed by the server would crash the process.
  const logLost = (error: Error) => log.warn({ event: "database.connection_lost", reason: error.message });
  const connect = opened.connect.bind(opened) as (callback?: (...given: never[]) => void) => never;
  opened.connect = (callback?: (...given: never[]) => void) =>
    callback ? connect(bindTrace(callback)) : captureConnection(connect());
  opened.on("error", logLost);
  opened.on("connect", (client) => client.on("error", logLost));
  waitForEnd(opened);
  return opened;
}

const CLOSE_LIMIT = 5 * SECOND;

/** Makes `end` wait until all connections are closed; else stopping the embedded server reports errors. */
function waitForEnd(opened: pg.Pool): void {
  const clients = new Set<pg.PoolClient>();
  opened.on("connect", (client) => {
    clients.add(client);
    client.once("end", () => clients.delete(client));
  });
  const end = opened.end.bind(opened) as () => Promise<void>;
  opened.end = async () => {
    // Not `once()` of node:events, which rejects on an error event.
    const closed = [...clients].map((client) => new Promise<void>((resolve) => client.once("end", resolve)));
    await end();
    await Promise.race([Promise.all(closed), sleep(CLOSE_LIMIT, undefined, { ref: false })]);
  };
}

function connectionTimeout(): number {
  return Math.min(statementTimeout(), 10_000);
}

export function prisma(): PrismaClient {
  shared.tellalPrisma ??= new PrismaClient({
    // The other formats look up the source line of every call, which costs a tenth of a query.
    errorFormat: "minimal",
    adapter: new PrismaPg(pool(), {
      statementNameGenerator: ({ sql }) => statementName(sql) as string,
    }),
  });
  return shared.tellalPrisma;
}

/** Each takes memory in every back end, and list arguments produce ever new texts. */
const MAX_NAMES = 500;
const names = new Map<string, string>();

/** Returns undefined for an unnamed statement, which the driver allows although its type does not. */
function statementName(text: string): string | undefined {
  const existing = names.get(text);
  if (existing) return existing;
  if (names.size >= MAX_NAMES) return undefined;
  const name = `p${createHash("sha1").update(text).digest("hex").slice(0, 16)}`;
  names.set(text, name);
  return name;
}

export async function closeDatabase(): Promise<void> {
  await shared.tellalPrisma?.$disconnect();
  await shared.tellalLanes?.end();
  if (shared.tellalPool && !shared.tellalPool.ended) await shared.tellalPool.end();
  await shared.tellalDirect?.end();
  shared.tellalDirect = undefined;
  shared.tellalPrisma = undefined;
  shared.tellalPool = undefined;
  shared.tellalLanes = undefined;
}

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { SECOND } from "@/server/core/time";
import { staying } from "../tracing/trace";
import { Connection } from "./connection";
import { type Prisma, PrismaClient } from "./generated/client";
import { Lanes } from "./lanes";
import { patience } from "./patience";
import { lend } from "./shared-transaction";

declare module "@/server/core/sql" {
  interface DatabaseTypes {
    client: PrismaClient | Prisma.TransactionClient;
  }
}

/*
 * One pool for Prisma and for named statements. The server bundle and Next's bundle each contain a copy of this
 * module, so the instances are on globalThis: two copies, one pool.
 */
const shared = globalThis as {
  tellalPool?: pg.Pool;
  tellalLanes?: Lanes;
  tellalPrisma?: PrismaClient;
  tellalDirect?: pg.Pool;
};

/** The connection pool of this process. */
export function pool(): pg.Pool {
  if (!shared.tellalPool) connectTo(env().DATABASE_URL);
  return shared.tellalPool!;
}

/**
 * Connections without a pooler in between, for the queue: it listens on one of them. Those of {@link pool} where
 * `DATABASE_DIRECT_URL` is not set.
 */
export function directPool(): pg.Pool {
  const { DATABASE_DIRECT_URL } = env();
  if (!DATABASE_DIRECT_URL) return pool();
  shared.tellalDirect ??= openPool(DATABASE_DIRECT_URL, { limited: true });
  return shared.tellalDirect;
}

/** The connections for short reads. */
export function lanes(): Lanes {
  pool();
  return shared.tellalLanes!;
}

/** Connects the process to a database; `main.ts` calls it once the embedded server is up. */
export function connectTo(connectionString: string | undefined): void {
  if (!connectionString)
    throw new Error("No database: DATABASE_URL is not set and no embedded server was started");
  // What one sets on a pooler's connection for transactions would hold for others; there the role has the limit.
  const limited = env().DATABASE_STATEMENTS === "named";
  shared.tellalPool = openPool(connectionString, { limited });
  shared.tellalLanes = new Lanes(configOf(connectionString), limited ? limit : undefined);
}

/** How long PostgreSQL runs a statement. */
export const STATEMENT_LIMIT = 30 * SECOND;

/** Sets {@link STATEMENT_LIMIT} on a new connection: a pooler refuses it as a parameter of the start. */
async function limit(client: pg.ClientBase): Promise<void> {
  await client.query(`set statement_timeout = ${STATEMENT_LIMIT}`);
}

function configOf(connectionString: string): pg.ClientConfig {
  return { connectionString, connectionTimeoutMillis: waitForConnection(), application_name: "tellal" };
}

function openPool(connectionString: string, { limited }: { limited: boolean }): pg.Pool {
  const opened = new pg.Pool({
    ...configOf(connectionString),
    Client: Connection,
    ...(limited && { onConnect: limit }),
    max: env().DATABASE_POOL_SIZE,
    // A closed connection takes its prepared statements with it, so idle ones are kept.
    idleTimeoutMillis: 10 * 60_000,
  });
  // The pool copies its settings, a getter's value too.
  Object.defineProperty(opened.options, "connectionTimeoutMillis", { get: waitForConnection });
  // Without listeners on idle and busy connections, a connection that the server closes ends the process.
  const lost = (error: Error) => log.warn({ event: "database.connection_lost", reason: error.message });
  const connect = opened.connect.bind(opened) as (callback?: (...given: never[]) => void) => never;
  opened.connect = (callback?: (...given: never[]) => void) =>
    callback ? connect(staying(callback)) : lend(connect());
  opened.on("error", lost);
  opened.on("connect", (client) => client.on("error", lost));
  waitForEnd(opened);
  return opened;
}

/** Longest wait for PostgreSQL to close connections that we have ended, in milliseconds. */
const CLOSE_LIMIT = 5 * SECOND;

/**
 * Makes the pool's `end` wait until PostgreSQL has closed each connection. Otherwise an embedded server that is stopped
 * right afterwards reports an error on those that are left.
 */
function waitForEnd(opened: pg.Pool): void {
  const clients = new Set<pg.PoolClient>();
  opened.on("connect", (client) => {
    clients.add(client);
    client.once("end", () => clients.delete(client));
  });
  const end = opened.end.bind(opened) as () => Promise<void>;
  opened.end = async () => {
    // Not `once()` of node:events: it rejects when the connection ends by an error.
    const closed = [...clients].map((client) => new Promise<void>((resolve) => client.once("end", resolve)));
    await end();
    await Promise.race([Promise.all(closed), sleep(CLOSE_LIMIT, undefined, { ref: false })]);
  };
}

/** Milliseconds until a connection must stand. */
function waitForConnection(): number {
  return Math.min(patience(), 10_000);
}

/** Prisma on the shared pool. */
export function prisma(): PrismaClient {
  shared.tellalPrisma ??= new PrismaClient({
    // The other formats look up the source line of every call, which costs a tenth of a query for a text that nobody
    // sees.
    errorFormat: "minimal",
    adapter: new PrismaPg(pool(), {
      statementNameGenerator: ({ sql }) => statementName(sql) as string,
    }),
  });
  return shared.tellalPrisma;
}

/**
 * Each name costs memory in every back end, and list arguments make ever new texts, so the number of names is
 * bounded.
 */
const MAX_NAMES = 500;
const names = new Map<string, string>();

/** Undefined runs the text without a name, which the driver allows although its type does not say so. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= MAX_NAMES) return undefined;
  const name = `p${createHash("sha1").update(text).digest("hex").slice(0, 16)}`;
  names.set(text, name);
  return name;
}

/** Closes the pool; called once, when the process stops. */
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

import type { Context } from "@/server/core/context";
import { SECOND } from "@/server/core/time";
import { type Database, pool, prisma } from "./client";
import { causeOf } from "./failure";
import { Prisma } from "./generated/client";
import { Fragment, type Sql, statementsOn } from "./sql";

/** Prisma and the named statements, on one transaction or outside any. */
export interface Work {
  db: Database;
  sql: Sql;
}

/** Outside any transaction: each call stands alone. */
export function outside(): Work {
  return { db: prisma(), sql: statementsOn(pool()) };
}

/**
 * Runs `work` in one Prisma transaction, all or nothing. `ctx.sql` runs in it too, so row locks, audit rows and jobs
 * belong to it. Await calls one after the other, do not continue after a failed one, and do not open another
 * transaction inside.
 */
export function withTransaction<C extends Context, T>(ctx: C, work: (tx: C) => Promise<T>): Promise<T> {
  return inTransaction((tx) => work({ ...ctx, ...tx }));
}

/** The same for work outside a request, such as jobs. `seconds` is how long it may take. */
export function inTransaction<T>(work: (tx: Work) => Promise<T>, { seconds = 15 } = {}): Promise<T> {
  return prisma().$transaction((db) => work({ db, sql: statementsIn(db) }), {
    timeout: seconds * SECOND,
    maxWait: 10 * SECOND,
  });
}

/** Runs named statements in Prisma's transaction, with the same rows and errors as outside it. */
function statementsIn(db: Prisma.TransactionClient): Sql {
  return async <Row>(strings: TemplateStringsArray, ...values: unknown[]) => {
    const given = values.map((value) => (value instanceof Fragment ? Prisma.raw(value.text) : value));
    const rows = await db.$queryRaw<Array<Record<string, unknown>>>(strings, ...given).catch(asDriver);
    for (const row of rows) for (const name of Object.keys(row)) row[name] = likeDriver(row[name]);
    return rows as Row[];
  };
}

function likeDriver(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return typeof value === "bigint" ? String(value) : value;
}

/** Throws PostgreSQL's own error code instead of Prisma's general code for raw statements. */
function asDriver(error: { code?: string }): never {
  const code = error.code === "P2010" && causeOf(error).originalCode;
  throw code ? Object.assign(error, { code }) : error;
}

/**
 * A transaction of named statements alone, on one connection: several times cheaper, for sign-ins and creations.
 * Prisma is not available inside.
 */
export async function onlyStatements<C extends Context, T>(
  ctx: C,
  work: (tx: Omit<C, "db">) => Promise<T>,
): Promise<T> {
  const client = await pool().connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work({ ...ctx, sql: statementsOn(client) });
    const { command } = await client.query("commit");
    // PostgreSQL rolls back and says so when a statement failed and its error was swallowed.
    if (command !== "COMMIT") throw new Error("A statement had failed: the transaction was rolled back");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

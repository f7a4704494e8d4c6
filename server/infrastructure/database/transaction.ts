import type { Context } from "@/server/core/context";
import { SECOND } from "@/server/core/time";
import { type Database, pool, prisma } from "./client";
import { causeOf } from "./failure";
import { Prisma } from "./generated/client";
import { Fragment, type Sql, statementsOn } from "./sql";

/** What reads and writes: Prisma, and the few named statements, on one transaction or outside of any. */
export interface Work {
  db: Database;
  sql: Sql;
}

/** Outside of any transaction: each call stands alone. */
export function outside(): Work {
  return { db: prisma(), sql: statementsOn(pool()) };
}

/**
 * Runs `work` in one transaction of Prisma: everything in it is kept together, or nothing is. `ctx.sql` runs in it
 * too, so row locks, audit rows and jobs belong to it. Calls inside are awaited one after the other, a failed one
 * has ended the transaction, and another one is never opened within.
 */
export function withTransaction<C extends Context, T>(ctx: C, work: (tx: C) => Promise<T>): Promise<T> {
  return inTransaction((tx) => work({ ...ctx, ...tx }));
}

/** The same for work that no request caused: jobs. `seconds` is how long it may take. */
export function inTransaction<T>(work: (tx: Work) => Promise<T>, { seconds = 15 } = {}): Promise<T> {
  return prisma().$transaction((db) => work({ db, sql: statementsIn(db) }), {
    timeout: seconds * SECOND,
    maxWait: 10 * SECOND,
  });
}

/** Named statements within Prisma's transaction, with the rows and the errors that they have outside of it. */
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

/** PostgreSQL's own code instead of Prisma's word for all that a raw statement can meet. */
function asDriver(error: { code?: string }): never {
  const code = error.code === "P2010" && causeOf(error).originalCode;
  throw code ? Object.assign(error, { code }) : error;
}

/**
 * A transaction of named statements alone, on one connection: several times cheaper, for what runs on every sign-in
 * and every creation. Prisma is not available inside.
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
    // PostgreSQL answers so when a statement had failed and nobody passed its error on.
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

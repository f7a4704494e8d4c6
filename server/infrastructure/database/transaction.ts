import type pg from "pg";
import type * as z from "zod";
import type { Context } from "@/server/core/context";
import { env } from "@/server/core/env";
import type { Database, Sql } from "@/server/core/sql";
import { SECOND } from "@/server/core/time";
import { lanes, pool, prisma } from "./client";
import { type Connection, writable } from "./connection";
import { patience } from "./patience";
import { SharedConnection, sharing } from "./shared-transaction";
import { type BoundStatement, type NamedStatement, statementsOn } from "./statement";

/** Prisma and the named statements, on one transaction or outside any. */
export interface Work {
  db: Database;
  sql: Sql;
}

let apart: { of: pg.Pool; work: Work } | undefined;

/** Outside any transaction: each call stands alone. Made once, because every request asks for it. */
export function outside(): Work {
  const of = pool();
  if (apart?.of !== of) {
    // When a connection with several statements in flight ends, PgBouncer before 1.21 gives the responses to another one.
    const isShared = env().DATABASE_STATEMENTS === "named";
    const sql = Object.assign(statementsOn(of), isShared && { short: statementsOn(lanes()) });
    apart = { of, work: { db: prisma(), sql } };
  }
  return apart.work;
}

/**
 * Runs `work` in one Prisma transaction, all or nothing. `ctx.sql` runs in it too, so row locks, audit rows and jobs
 * belong to it. Await calls one after the other, do not continue after a failed one, and do not open another
 * transaction inside.
 */
export function withTransaction<C extends Context, T>(ctx: C, work: (tx: C) => Promise<T>): Promise<T> {
  return inTransaction((tx) => work({ ...ctx, ...tx }));
}

/** What a transaction would do: its work runs, and none of it stays. Mail and jobs are rows, and vanish with it. */
export async function rehearse<C extends Context, T>(ctx: C, work: (tx: C) => Promise<T>): Promise<T> {
  const curtain = { result: undefined as T | undefined };
  await withTransaction(ctx, async (tx) => {
    curtain.result = await work(tx);
    throw curtain;
  }).catch((thrown: unknown) => {
    if (thrown !== curtain) throw thrown;
  });
  return curtain.result!;
}

/** The same for work outside a request, such as jobs. `seconds` is how long it may take. */
export function inTransaction<T>(work: (tx: Work) => Promise<T>, { seconds = 15 } = {}): Promise<T> {
  const connection = new SharedConnection();
  const now: Sql = async (strings, ...values) => statementsOn(connection.get())(strings, ...values);
  const sql = Object.assign(now, {
    later: (statement: NamedStatement) => connection.get().later(statement),
  });
  const limits = { timeout: seconds * SECOND, maxWait: Math.min(patience(), 10 * SECOND) };
  return sharing(connection, () => prisma().$transaction((db) => work({ db, sql }), limits));
}

/**
 * A transaction of named statements alone, on one connection: several times cheaper, for sign-ins and creations.
 * Prisma is not available inside.
 */
export async function onlyStatements<C extends Context, T>(
  ctx: C,
  work: (tx: Omit<C, "db">) => Promise<T>,
): Promise<T> {
  const client = (await pool().connect()) as pg.PoolClient & Connection;
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const later = (statement: NamedStatement) => client.later(statement);
    const result = await work({ ...ctx, sql: Object.assign(statementsOn(client), { later }) });
    await client.query("commit");
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

type Rows<B> = B extends BoundStatement<infer Row> ? Array<z.output<Row>> : never;

/**
 * Runs statements that do not need each other's rows, in this order, in one transaction and one round trip: PostgreSQL
 * commits all of them or none. Each sees what those before it did and what others have committed by then, so that a lock
 * may come first and a count after it.
 */
export async function inOneTrip<const B extends readonly BoundStatement[]>(
  ...bound: B
): Promise<{ [K in keyof B]: Rows<B[K]> }> {
  const statements = bound.map((each) => ({ ...each, values: each.values?.map(writable) }));
  const client = await pool().connect();
  const sent = [{ text: "begin" }, ...statements, { text: "commit" }].map((each) => client.query(each));
  const results = await Promise.allSettled(sent);
  client.release();
  const failure = results.find(({ status }) => status === "rejected");
  if (failure) throw (failure as PromiseRejectedResult).reason;
  return bound.map(({ row }, index) => {
    const { rows } = (results[index + 1] as PromiseFulfilledResult<{ rows: unknown[] }>).value;
    return env().STRICT_OUTPUT ? rows.map((each) => row.parse(each)) : rows;
  }) as { [K in keyof B]: Rows<B[K]> };
}

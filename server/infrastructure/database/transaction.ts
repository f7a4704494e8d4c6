import type pg from "pg";
import type * as z from "zod";
import type { Context } from "@/server/core/context";
import { env } from "@/server/core/env";
import type { Database, Sql } from "@/server/core/sql";
import { SECOND } from "@/server/core/time";
import { getReadLanes, pool, prisma } from "./client";
import { type Connection, serializeValue } from "./connection";
import { SharedConnection, withCapturedConnection } from "./shared-transaction";
import { type BoundStatement, createSqlTag, type NamedStatement } from "./statement";
import { getStatementTimeoutMs } from "./statement-timeout";

/** Prisma client and named statements, in a transaction or outside of one. */
export interface DbAccess {
  db: Database;
  sql: Sql;
}

let poolAccess: { pool: pg.Pool; access: DbAccess } | undefined;

/** Returns access outside of a transaction; cached, because every request needs it. */
export function withoutTransaction(): DbAccess {
  const currentPool = pool();
  if (poolAccess?.pool !== currentPool) {
    // PgBouncer before 1.21 delivers pipelined responses of a closed connection to another one.
    const usesReadLanes = env().DATABASE_STATEMENTS === "named";
    const sql = Object.assign(
      createSqlTag(currentPool),
      usesReadLanes && { short: createSqlTag(getReadLanes()) },
    );
    poolAccess = { pool: currentPool, access: { db: prisma(), sql } };
  }
  return poolAccess.access;
}

/** Runs `work` in one transaction. Await calls one by one, stop at the first failure, open no other one. */
export function withTransaction<C extends Context, T>(ctx: C, work: (tx: C) => Promise<T>): Promise<T> {
  return inTransaction((tx) => work({ ...ctx, ...tx }));
}

/** Dry run: executes the work and always rolls back, including its mails and jobs, which are rows. */
export async function runAndRollBack<C extends Context, T>(ctx: C, work: (tx: C) => Promise<T>): Promise<T> {
  const rollbackSignal = { result: undefined as T | undefined };
  await withTransaction(ctx, async (tx) => {
    rollbackSignal.result = await work(tx);
    throw rollbackSignal;
  }).catch((thrown: unknown) => {
    if (thrown !== rollbackSignal) throw thrown;
  });
  return rollbackSignal.result!;
}

/** Like {@link withTransaction}, for work without a request, such as jobs. `seconds` is the timeout. */
export function inTransaction<T>(work: (tx: DbAccess) => Promise<T>, { seconds = 15 } = {}): Promise<T> {
  const connection = new SharedConnection();
  const runStatement: Sql = async (strings, ...values) => createSqlTag(connection.get())(strings, ...values);
  const sql = Object.assign(runStatement, {
    sendWithoutWaiting: (statement: NamedStatement) => connection.get().sendWithoutWaiting(statement),
  });
  const options = { timeout: seconds * SECOND, maxWait: Math.min(getStatementTimeoutMs(), 10 * SECOND) };
  return withCapturedConnection(connection, () => prisma().$transaction((db) => work({ db, sql }), options));
}

/** Transaction of named statements only: several times cheaper, for frequent writes such as sign-ins. */
export async function withStatementTransaction<C extends Context, T>(
  ctx: C,
  work: (tx: Omit<C, "db">) => Promise<T>,
): Promise<T> {
  const client = (await pool().connect()) as pg.PoolClient & Connection;
  let releaseError: Error | undefined;
  try {
    await client.query("begin");
    const sendWithoutWaiting = (statement: NamedStatement) => client.sendWithoutWaiting(statement);
    const result = await work({ ...ctx, sql: Object.assign(createSqlTag(client), { sendWithoutWaiting }) });
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => {
      releaseError = failure;
    });
    throw error;
  } finally {
    client.release(releaseError);
  }
}

type RowsOf<B> = B extends BoundStatement<infer Row> ? Array<z.output<Row>> : never;

/** Runs statements in one round trip. Each sees earlier ones and all commits: a lock may precede a count. */
export async function inOneRoundTrip<const B extends readonly BoundStatement[]>(
  ...statements: B
): Promise<{ [K in keyof B]: RowsOf<B[K]> }> {
  const serialized = statements.map((each) => ({ ...each, values: each.values?.map(serializeValue) }));
  const client = await pool().connect();
  const responses = [{ text: "begin" }, ...serialized, { text: "commit" }].map((each) => client.query(each));
  const results = await Promise.allSettled(responses);
  client.release();
  const failure = results.find(({ status }) => status === "rejected");
  if (failure) throw (failure as PromiseRejectedResult).reason;
  return statements.map(({ row }, index) => {
    const { rows } = (results[index + 1] as PromiseFulfilledResult<{ rows: unknown[] }>).value;
    return env().STRICT_OUTPUT ? rows.map((each) => row.parse(each)) : rows;
  }) as { [K in keyof B]: RowsOf<B[K]> };
}

import type { Context } from "@/server/core/context";
import { pool, prisma } from "./client";
import { Prisma } from "./generated/client";
import { Fragment, type Sql, statementsOn } from "./sql";

/**
 * Runs `work` in one Prisma transaction: everything in it is kept together, or nothing is.
 * `ctx.sql` runs in the same transaction, so audit rows and jobs belong to it.
 */
export async function withTransaction<C extends Context, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  return prisma().$transaction(
    async (tx) => {
      const sql: Sql = (strings, ...values) => tx.$queryRaw(strings, ...values.map(asPrisma));
      return work({ ...ctx, db: tx, sql });
    },
    { timeout: 15_000, maxWait: 10_000 },
  );
}

function asPrisma(value: unknown): unknown {
  return value instanceof Fragment ? Prisma.raw(value.text) : value;
}

/**
 * The same on one connection with named statements only, several times faster: for the writes that
 * lock rows or run on every sign-in. Prisma is not available inside.
 */
export function withStatements<C extends Context, T>(
  ctx: C,
  work: (ctx: Omit<C, "db">) => Promise<T>,
): Promise<T> {
  return inStatements((sql) => work({ ...ctx, sql }));
}

/** A transaction of named statements for work that no request caused: jobs. */
export async function inStatements<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(statementsOn(client));
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

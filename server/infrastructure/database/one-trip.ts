import type * as z from "zod";
import { env } from "@/server/core/env";
import { pool } from "./client";
import { writable } from "./connection";
import type { BoundStatement } from "./statement";

type Rows<B> = B extends BoundStatement<infer Row> ? Array<z.output<Row>> : never;

/**
 * Runs statements that do not need each other's rows, in this order, in one transaction and one round trip: PostgreSQL
 * commits what is sent together, or none of it. Each sees what those before it did and what others committed meanwhile,
 * so that a lock may come first and a count after it.
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

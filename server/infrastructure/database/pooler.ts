import { randomBytes } from "node:crypto";
import { Client } from "pg";
import type { Env } from "../../core/env";
import { SECOND } from "../../core/time";
import { STATEMENT_LIMIT } from "./client";
import { DatabaseStartError } from "./embedded-postgres/errors";
import { waitForDatabase } from "./wait";

/** What is asked of a connection while the way to the database is looked at. */
export type Probe = Pick<Client, "query" | "end">;

/**
 * How far a connection is one and the same: `session`, from its begin to its end; `statements`, a pooler hands each
 * transaction to whichever connection is free, but finds prepared statements again; `transaction`, it does not.
 */
export type Pooling = "session" | "statements" | "transaction";

/** Another server of the same pooler may take the connection that was just given back. */
const ATTEMPTS = 5;

/** Waits for the database of the settings, and looks whether they fit the pooler in front of it. */
export async function findDatabase(
  settings: Pick<Env, "DATABASE_URL" | "DATABASE_DIRECT_URL" | "DATABASE_STATEMENTS">,
  onWait: (text: string) => void,
): Promise<void> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct } = settings;
  await waitForDatabase(url!, { onWait });
  if (direct) await waitForDatabase(direct, { onWait, name: "DATABASE_DIRECT_URL" });
  const found = await poolingOf(() => connectionTo(url!));
  const behind = direct ? await poolingOf(() => connectionTo(direct)) : undefined;
  const problem = problemOf(settings, found, behind);
  if (problem) throw new DatabaseStartError(problem);
  if (settings.DATABASE_STATEMENTS === "unnamed") await adviseLimit(url!, onWait);
}

/** The sentence for settings that do not fit; `behind` is how `DATABASE_DIRECT_URL` is pooled. */
export function problemOf(
  settings: Pick<Env, "DATABASE_STATEMENTS">,
  found: Pooling,
  behind?: Pooling,
): string | undefined {
  if (behind && behind !== "session")
    return "DATABASE_DIRECT_URL: leads to a pooler in transaction mode, too; name PostgreSQL itself.";
  if (found === "session") return undefined;
  if (found === "transaction" && settings.DATABASE_STATEMENTS === "named")
    return (
      "DATABASE_URL: leads to a pooler in transaction mode, which loses prepared statements. Set " +
      "DATABASE_STATEMENTS=unnamed and DATABASE_DIRECT_URL, or pool_mode = session at the pooler."
    );
  if (!behind)
    return (
      "DATABASE_DIRECT_URL: missing. DATABASE_URL leads to a pooler in transaction mode, which cannot carry migrations " +
      "and the queue: name PostgreSQL itself here, or set pool_mode = session at the pooler."
    );
  return undefined;
}

async function connectionTo(connectionString: string): Promise<Probe> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: 5 * SECOND,
    query_timeout: 5 * SECOND,
    application_name: "tellal-start",
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Two connections at once: when one is served by what served the other a moment ago, transactions are pooled. */
export async function poolingOf(connect: () => Promise<Probe>): Promise<Pooling> {
  const first = await connect();
  try {
    // Whoever has no room for a second connection keeps the first one whole.
    const second = await connect().catch(() => undefined);
    if (!second) return "session";
    try {
      return await compare(first, second);
    } finally {
      await second.end().catch(() => {});
    }
  } finally {
    await first.end().catch(() => {});
  }
}

async function compare(first: Probe, second: Probe): Promise<Pooling> {
  const served = async (by: Probe) =>
    (await by.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;
  // A connection behind a pooler keeps the names of whoever had it before.
  const name = `probe_${randomBytes(8).toString("hex")}`;
  const prepared = () => first.query({ name, text: "select 1" });
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!(await prepared().then(Boolean, () => false))) return "transaction";
    const before = await served(first);
    await second.query("begin");
    const taken = await served(second);
    // In transaction mode the second one holds what the first one was served by.
    const after = taken === before ? undefined : await served(first);
    const pooled = taken === before || after !== before;
    const kept = pooled && (await prepared().then(Boolean, () => false));
    if (pooled) await second.query(`deallocate ${name}`).catch(() => {});
    await second.query("rollback");
    if (pooled) return kept ? "statements" : "transaction";
  }
  return "session";
}

/** Behind a pooler nobody but the role limits how long a statement runs. */
async function adviseLimit(url: string, say: (text: string) => void): Promise<void> {
  const client = await connectionTo(url);
  try {
    const { rows } = await client.query(
      "select current_user as role, current_setting('statement_timeout') as limit",
    );
    const [{ role, limit }] = rows;
    if (limit !== "0") return;
    say(
      `PostgreSQL runs statements of ${role} without a limit: alter role "${role}" set statement_timeout = '${STATEMENT_LIMIT / SECOND}s'`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

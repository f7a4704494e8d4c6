import { randomBytes } from "node:crypto";
import { Client } from "pg";
import type { Env } from "../../core/env";
import { SECOND } from "../../core/time";
import { STATEMENT_TIMEOUT_MS } from "./client";
import { DatabaseStartError } from "./embedded-postgres/errors";
import { waitForDatabase } from "./wait-for-database";

export type ProbeConnection = Pick<Client, "query" | "end">;

/** Pooling mode; `statements` is transaction mode that keeps prepared statements. */
export type PoolingMode = "session" | "statements" | "transaction";

/** Retries, because another client of the pooler may take the released connection. */
const DETECTION_ATTEMPTS = 5;

/** Waits for the database and checks that the settings suit its pooler. Throws {@link DatabaseStartError}. */
export async function checkPooling(
  settings: Pick<Env, "DATABASE_URL" | "DATABASE_DIRECT_URL" | "DATABASE_STATEMENTS">,
  print: (text: string) => void,
): Promise<void> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = settings;
  await waitForDatabase(url!, { onWait: print });
  if (directUrl) await waitForDatabase(directUrl, { onWait: print, settingName: "DATABASE_DIRECT_URL" });
  const poolingMode = await detectPooling(() => openProbeConnection(url!));
  const directPoolingMode = directUrl ? await detectPooling(() => openProbeConnection(directUrl)) : undefined;
  const problem = findPoolingProblem(settings, poolingMode, directPoolingMode);
  if (problem) throw new DatabaseStartError(problem);
  if (settings.DATABASE_STATEMENTS === "unnamed") await adviseStatementTimeout(url!, print);
}

/** Returns why the settings do not suit the pooler; `directPoolingMode` is for DATABASE_DIRECT_URL. */
export function findPoolingProblem(
  settings: Pick<Env, "DATABASE_STATEMENTS">,
  poolingMode: PoolingMode,
  directPoolingMode?: PoolingMode,
): string | undefined {
  if (directPoolingMode && directPoolingMode !== "session")
    return "DATABASE_DIRECT_URL: leads to a pooler in transaction mode, too; name PostgreSQL itself.";
  if (poolingMode === "session") return undefined;
  if (poolingMode === "transaction" && settings.DATABASE_STATEMENTS === "named")
    return (
      "DATABASE_URL: leads to a pooler in transaction mode, which loses prepared statements. Set " +
      "DATABASE_STATEMENTS=unnamed and DATABASE_DIRECT_URL, or pool_mode = session at the pooler."
    );
  if (!directPoolingMode)
    return (
      "DATABASE_DIRECT_URL: missing. DATABASE_URL leads to a pooler in transaction mode, which cannot carry migrations " +
      "and the queue: name PostgreSQL itself here, or set pool_mode = session at the pooler."
    );
  return undefined;
}

async function openProbeConnection(connectionString: string): Promise<ProbeConnection> {
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

/** Detects transaction mode: two client connections are served by the same PostgreSQL back end in turn. */
export async function detectPooling(connect: () => Promise<ProbeConnection>): Promise<PoolingMode> {
  const firstProbe = await connect();
  try {
    // A limit of one connection implies session mode.
    const secondProbe = await connect().catch(() => undefined);
    if (!secondProbe) return "session";
    try {
      return await compareBackends(firstProbe, secondProbe);
    } finally {
      await secondProbe.end().catch(() => {});
    }
  } finally {
    await firstProbe.end().catch(() => {});
  }
}

async function compareBackends(
  firstProbe: ProbeConnection,
  secondProbe: ProbeConnection,
): Promise<PoolingMode> {
  const readPid = async (probe: ProbeConnection) =>
    (await probe.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;
  // Random, because the back end keeps prepared statements of earlier clients.
  const name = `probe_${randomBytes(8).toString("hex")}`;
  const runPrepared = () => firstProbe.query({ name, text: "select 1" });
  for (let attempt = 0; attempt < DETECTION_ATTEMPTS; attempt++) {
    if (!(await runPrepared().then(Boolean, () => false))) return "transaction";
    const firstPid = await readPid(firstProbe);
    await secondProbe.query("begin");
    const secondPid = await readPid(secondProbe);
    // In transaction mode, the second connection now occupies the back end of the first.
    const firstPidAgain = secondPid === firstPid ? undefined : await readPid(firstProbe);
    const isPooled = secondPid === firstPid || firstPidAgain !== firstPid;
    const isPrepared = isPooled && (await runPrepared().then(Boolean, () => false));
    if (isPooled) await secondProbe.query(`deallocate ${name}`).catch(() => {});
    await secondProbe.query("rollback");
    if (isPooled) return isPrepared ? "statements" : "transaction";
  }
  return "session";
}

/** Behind a transaction pooler only the role can set `statement_timeout`. */
async function adviseStatementTimeout(url: string, print: (text: string) => void): Promise<void> {
  const client = await openProbeConnection(url);
  try {
    const { rows } = await client.query(
      "select current_user as role, current_setting('statement_timeout') as limit",
    );
    const [{ role, limit }] = rows;
    if (limit !== "0") return;
    print(
      `PostgreSQL runs statements of ${role} without a limit: alter role "${role}" set statement_timeout = '${STATEMENT_TIMEOUT_MS / SECOND}s'`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

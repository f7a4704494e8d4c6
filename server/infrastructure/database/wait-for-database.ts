import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { getErrorReason, redactText } from "../../core/redact";
import { SECOND } from "../../core/time";
import { DatabaseStartError } from "./embedded-postgres/errors";
import { isDatabaseUnavailable } from "./error-kinds";
import { MIN_POSTGRES_MAJOR } from "./preflight";

/** Maximum wait: the database may start together with the server. */
const WAIT_TIMEOUT_MS = 60 * SECOND;
const RETRY_PAUSE_MS = SECOND;

interface WaitOptions {
  timeout?: number;
  minMajor?: number;
  settingName?: string;
  /** Called once with a message about the wait and its reason. */
  onWait?: (text: string) => void;
}

/** Waits for the database. Throws {@link DatabaseStartError}, immediately if waiting cannot help. */
export async function waitForDatabase(
  url: string,
  {
    timeout = WAIT_TIMEOUT_MS,
    minMajor = MIN_POSTGRES_MAJOR,
    settingName = "DATABASE_URL",
    onWait = () => {},
  }: WaitOptions = {},
): Promise<void> {
  const { host, database } = new Client({ connectionString: url });
  const deadline = performance.now() + timeout;
  for (let attempt = 0; ; attempt++) {
    const failure = await tryConnection(url, minMajor, settingName);
    if (!failure) return;
    const reason = redactText(getErrorReason(failure)) as string;
    const permanentReason = findPermanentReason(failure, database ?? "", settingName);
    if (permanentReason) throw new DatabaseStartError(permanentReason);
    if (performance.now() > deadline)
      throw new DatabaseStartError(
        `The database at ${host} cannot be reached (${reason}); start it, or correct ${settingName}.`,
      );
    if (attempt === 0) onWait(`waiting for the database at ${host} (${reason})`);
    await sleep(RETRY_PAUSE_MS);
  }
}

async function tryConnection(url: string, minMajor: number, settingName: string): Promise<unknown> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5 * SECOND,
    query_timeout: 5 * SECOND,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as major");
    const { major } = rows[0];
    if (major < minMajor)
      return new DatabaseStartError(
        `${settingName}: PostgreSQL ${minMajor} or newer is needed; this one is ${major}.`,
      );
    return undefined;
  } catch (error) {
    return error ?? new Error("no connection");
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the message for a problem that an operator must fix; undefined for a temporary one. */
function findPermanentReason(error: unknown, database: string, settingName: string): string | undefined {
  const { code, message } = error as { code?: string; message: string };
  if (error instanceof DatabaseStartError) return message;
  switch (code) {
    case "28P01":
    case "28000":
      return `${settingName}: the database refuses this user or password.`;
    case "3D000":
      return `${settingName}: there is no database ${database}; create it, or name another one.`;
    case "42501":
      return `${settingName}: this user may not connect to the database ${database}.`;
    default:
      return isDatabaseUnavailable(error) ? undefined : `${settingName}: ${redactText(message)}`;
  }
}

import { env } from "@/server/core/env";
import { findEmbeddedPostgres, startEmbeddedPostgres } from "@/server/infrastructure/database/embedded";
import { lockDataDirectory } from "@/server/infrastructure/lock";

interface Urls {
  url: string;
  adminUrl: string;
}

/** Runs one task on the embedded database; refused while a server uses it. */
export async function withEmbedded<T>(task: (urls: Urls) => Promise<T>): Promise<T> {
  const unlock = await lockDataDirectory(env().DATA_DIR);
  const database = await startEmbeddedPostgres({ dataDir: env().DATA_DIR });
  try {
    return await task(database);
  } finally {
    await database.stop();
    unlock();
  }
}

/** The database of the settings, past a pooler: commands hold locks and snapshots. Undefined: the embedded one. */
export function ownDatabase(): string | undefined {
  const { DATABASE_DIRECT_URL, DATABASE_URL } = env();
  return DATABASE_DIRECT_URL ?? DATABASE_URL;
}

/** Runs one task on the database of the settings, also beside the servers that use it. */
export async function withDatabase<T>(task: (url: string) => Promise<T>): Promise<T> {
  const own = ownDatabase();
  if (own) return task(own);
  try {
    return await withEmbedded(({ url }) => task(url));
  } catch (error) {
    if ((error as Error).name !== "DataDirectoryInUseError") throw error;
    const running = await findEmbeddedPostgres(env().DATA_DIR);
    if (!running) throw error;
    return task(running.url);
  }
}

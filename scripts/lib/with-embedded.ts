import { env } from "@/server/core/env";
import { startEmbeddedPostgres } from "@/server/infrastructure/database/embedded";
import { lockDataDirectory } from "@/server/infrastructure/lock";

/** Runs one task on the embedded database; refused while a server uses it. */
export async function withEmbedded<T>(
  task: (urls: { url: string; adminUrl: string }) => Promise<T>,
): Promise<T> {
  const unlock = await lockDataDirectory(env().DATA_DIR);
  const database = await startEmbeddedPostgres({ dataDir: env().DATA_DIR });
  try {
    return await task(database);
  } finally {
    await database.stop();
    unlock();
  }
}

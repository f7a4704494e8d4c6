import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/server/infrastructure/database/embedded";
import { type Server, startServer } from "./servers";

/** A folder, a database and servers of a bench, which end with it, each by its process, also when it is interrupted. */
export async function ownThings() {
  const dir = await mkdtemp(join(tmpdir(), "tellal-bench-"));
  const servers: Server[] = [];
  let postgres: EmbeddedPostgres | undefined;
  let cleaning: Promise<void> | undefined;
  const cleanUp = () => {
    cleaning ??= (async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await postgres?.stop();
      await rm(dir, { recursive: true, force: true });
    })();
    return cleaning;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void cleanUp().finally(() => process.exit(0)));
  return {
    dir,
    cleanUp,
    async startDatabase(): Promise<EmbeddedPostgres> {
      postgres = await startEmbeddedPostgres({ dataDir: join(dir, "database"), ephemeral: true });
      return postgres;
    },
    async start(
      kind: Parameters<typeof startServer>[0],
      databaseUrl: string,
      env: Record<string, string> = {},
    ): Promise<Server> {
      const server = await startServer(kind, databaseUrl, dir, { env });
      servers.push(server);
      return server;
    },
  };
}

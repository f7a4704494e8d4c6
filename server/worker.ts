import { env } from "./core/env";
import { log } from "./core/log";
import { closeDatabase, connectTo } from "./infrastructure/database/client";
import { startWorker } from "./infrastructure/jobs/worker";
import "./domains";

/** `npm run worker`: a process that only performs jobs, on the database that the servers share. */
async function start(): Promise<void> {
  const { DATABASE_URL } = env();
  if (!DATABASE_URL) throw new Error("DATABASE_URL: missing; a worker shares the database of the servers");
  connectTo(DATABASE_URL);
  const runner = await startWorker();
  log.info({ event: "worker.started" });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void runner.stop());
  await runner.promise;
  await closeDatabase();
}

start().catch((error: Error) => {
  process.stderr.write(`\n  ${error.message}\n\n`);
  process.exit(1);
});

import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runMigrations } from "graphile-worker";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../infrastructure/database/embedded";
import { migrate } from "../infrastructure/database/migrate";

declare module "vitest" {
  interface ProvidedContext {
    /** The superuser's address of the server that all test files share. */
    databaseAdminUrl: string;
    /** The application's address of the migrated template. */
    databaseTemplateUrl: string;
  }
}

/**
 * Starts one PostgreSQL for the whole run, with a migrated database that test files copy. It is ephemeral: when the
 * run is killed, the watcher stops it and removes its directory.
 */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), "tellal-test-"));
  const database = await startEmbeddedPostgres({ dataDir, ephemeral: true });
  await migrate(database.url);
  await runMigrations({ connectionString: database.url });
  const client = new Client({ connectionString: database.adminUrl });
  await client.connect();
  // PostgreSQL cannot copy a template that somebody is connected to, so nobody may connect.
  await client.query("ALTER DATABASE tellal RENAME TO tellal_template");
  await client.query("ALTER DATABASE tellal_template WITH ALLOW_CONNECTIONS false");
  await client.end();
  project.provide("databaseAdminUrl", database.adminUrl);
  project.provide("databaseTemplateUrl", database.url);
  return () => database.stop();
}

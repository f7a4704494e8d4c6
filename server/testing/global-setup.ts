import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runMigrations } from "graphile-worker";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../infrastructure/database/embedded";
import { migrateDatabase } from "../infrastructure/database/migrate";

declare module "vitest" {
  interface ProvidedContext {
    databaseAdminUrl: string;
    databaseTemplateUrl: string;
  }
}

/** Starts one PostgreSQL for the whole run, with a migrated template that test files copy. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), "tellal-test-"));
  const database = await startEmbeddedPostgres({ dataDir, ephemeral: true });
  await migrateDatabase(database.url);
  await runMigrations({ connectionString: database.url });
  const client = new Client({ connectionString: database.adminUrl });
  await client.connect();
  // PostgreSQL cannot copy a template that has connections.
  await client.query("ALTER DATABASE tellal RENAME TO tellal_template");
  await client.query("ALTER DATABASE tellal_template WITH ALLOW_CONNECTIONS false");
  await client.end();
  project.provide("databaseAdminUrl", database.adminUrl);
  project.provide("databaseTemplateUrl", database.url);
  return () => database.stop();
}

import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, inject } from "vitest";
import { closeDatabase } from "@/server/infrastructure/database/client";
import { overrideSettings } from "./settings";

/** Creates a migrated, empty database and sets DATABASE_URL; dropped after the file's last test. */
export async function createTestDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  // For a small database, copying through the WAL is faster than two checkpoints.
  await runAsAdmin(`CREATE DATABASE ${name} TEMPLATE tellal_template OWNER tellal STRATEGY wal_log`);
  const url = new URL(inject("databaseTemplateUrl"));
  url.pathname = `/${name}`;
  overrideSettings({ DATABASE_URL: url.href });
  afterAll(async () => {
    await closeDatabase();
    await runAsAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  return url.href;
}

/** Creates a database without tables and returns its URL; dropped after the file's last test. */
export async function createEmptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await runAsAdmin(`CREATE DATABASE ${name} TEMPLATE template0 OWNER tellal STRATEGY wal_log`);
  afterAll(() => runAsAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  const url = new URL(inject("databaseTemplateUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

async function runAsAdmin(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject("databaseAdminUrl") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

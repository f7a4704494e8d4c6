import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Context, UserActor } from "@/server/core/context";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { startEmbeddedPostgres } from "@/server/infrastructure/database/embedded";
import { outside } from "@/server/infrastructure/database/transaction";
import { migrateJobs } from "@/server/infrastructure/jobs/worker";

/* For what is measured within this process, without HTTP: a volatile database, and who asks. */

/** Starts a database that `fill` makes ready, does some work with it, and ends the process. */
export async function withDatabase(
  fill: (url: string) => Promise<unknown>,
  work: (url: string) => Promise<void>,
): Promise<never> {
  const dir = await mkdtemp(join(tmpdir(), "tellal-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir: join(dir, "database"), ephemeral: true });
  try {
    await fill(postgres.url);
    connectTo(postgres.url);
    await migrateJobs();
    await work(postgres.url);
  } finally {
    await closeDatabase();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
  process.exit(0);
}

/** Sends statements by the driver alone. */
export async function sqlAt(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

/** A call of an account. */
export function context(id: number, role: "user" | "reseller" | "admin"): Context<UserActor> {
  return {
    ...outside(),
    actor: {
      kind: "user",
      id,
      role,
      scope: { userId: id, role, onlySite: null, isAgent: false } as UserActor["scope"],
      emailVerified: true,
      fromProvider: false,
      token: { id: 1, kind: "sign_in", abilities: ["*"], createdAt: new Date() },
    },
    requestId: "bench",
    ip: "127.0.0.1",
    userAgent: null,
    acceptLanguage: null,
    host: null,
    locale: "tr",
  };
}

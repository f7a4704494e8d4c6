import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { DiffTarget } from "@prisma/schema-engine-wasm/schema_engine_bg";
import { OperatorError } from "../../core/operator-error";
import { startEmbeddedPostgres } from "./embedded";
import { MIGRATIONS_DIR } from "./migrate";

type Engine = typeof import("@prisma/schema-engine-wasm/schema_engine_bg");

/** Models as of the newest migration. Committed, so that two branches with migrations conflict. */
const SNAPSHOT_FILE = "schema.prisma";
const SNAPSHOT_HEADER = "// Written by npm run db:migration. The models as of ";

/** Writes a migration with the changes of the models. SQL added by hand (triggers) is never dropped. */
export async function writeMigration(
  name: string,
  { schemaDir = resolve("prisma/schema"), dir = MIGRATIONS_DIR, byHand = false } = {},
): Promise<string | undefined> {
  const currentModels = await readModels(schemaDir);
  const previousModels = await readSnapshot(dir);
  const sql =
    (await diffModels(previousModels, currentModels)) ??
    (byHand ? "-- What the models cannot say.\n" : undefined);
  if (!sql) return undefined;
  const timestamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const migrationName = `${timestamp}_${name.toLowerCase().replace(/[^a-z0-9]+/g, "_")}`;
  await mkdir(join(dir, migrationName), { recursive: true });
  await writeFile(join(dir, migrationName, "migration.sql"), sql);
  await writeFile(join(dir, SNAPSHOT_FILE), `${SNAPSHOT_HEADER}${migrationName}\n\n${currentModels}`);
  await writeFile(join(dir, "migration_lock.toml"), 'provider = "postgresql"\n');
  return migrationName;
}

/** Returns the snapshot. Throws if it does not belong to the newest migration. */
async function readSnapshot(dir: string): Promise<string | undefined> {
  const text = await readFile(join(dir, SNAPSHOT_FILE), "utf8").catch(() => undefined);
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const newestMigration = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .at(-1);
  if (!newestMigration) return undefined;
  const snapshotMigration = text?.startsWith(SNAPSHOT_HEADER)
    ? text.slice(SNAPSHOT_HEADER.length).split("\n", 1)[0]
    : undefined;
  if (!text || (snapshotMigration && snapshotMigration !== newestMigration)) {
    throw new OperatorError(
      `${join(dir, SNAPSHOT_FILE)} belongs to ${snapshotMigration ?? "no migration"}, the newest is ${newestMigration}; restore both from git.`,
    );
  }
  return text;
}

async function readModels(schemaDir: string): Promise<string> {
  const files = (await readdir(schemaDir)).filter((file) => file.endsWith(".prisma")).sort();
  const modelTexts = await Promise.all(files.map((file) => readFile(join(schemaDir, file), "utf8")));
  return modelTexts
    .map((text) => text.trim())
    .join("\n\n")
    .concat("\n");
}

async function diffModels(
  previousModels: string | undefined,
  currentModels: string,
): Promise<string | undefined> {
  const { SchemaEngine } = await getEngine();
  // The engine compares models only, but needs a database to read its version.
  const temporaryDatabase = await startEmbeddedPostgres({
    dataDir: await mkdtemp(join(tmpdir(), "tellal-migration-")),
    ephemeral: true,
  });
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(temporaryDatabase.url));
    const engine = await SchemaEngine.new(
      { datamodels: [[SNAPSHOT_FILE, currentModels]] },
      () => {},
      adapter,
    );
    const { exitCode, stdout } = await engine.diff({
      from: previousModels === undefined ? { tag: "empty" } : toDiffTarget(previousModels),
      to: toDiffTarget(currentModels),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 2 && stdout ? stdout : undefined;
  } finally {
    await temporaryDatabase.stop();
  }
}

function toDiffTarget(content: string): DiffTarget {
  return { tag: "schemaDatamodel", files: [{ path: SNAPSHOT_FILE, content }] };
}

let loadedEngine: Promise<Engine> | undefined;

/** Loads the engine once: a second instance panics because of global state. */
function getEngine(): Promise<Engine> {
  loadedEngine ??= loadEngine();
  return loadedEngine;
}

/** The CLI would download a native engine; this WebAssembly package needs a manual set-up in Node.js. */
async function loadEngine(): Promise<Engine> {
  const enginePath = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const engineModule = (await import("@prisma/schema-engine-wasm/schema_engine_bg")) as Engine & {
    __wbg_set_wasm(exports: WebAssembly.Exports): void;
  };
  const wasmBytes = await readFile(enginePath.replace(/\.js$/, ".wasm"));
  const { instance } = await WebAssembly.instantiate(wasmBytes, {
    "./schema_engine_bg.js": engineModule as never,
  });
  engineModule.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
  return engineModule;
}

import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { DiffTarget } from "@prisma/schema-engine-wasm/schema_engine_bg";
import { OperatorError } from "../../core/operator-error";
import { startEmbeddedPostgres } from "./embedded";
import { MIGRATIONS } from "./migrate";

type Engine = typeof import("@prisma/schema-engine-wasm/schema_engine_bg");

/**
 * The models as of the newest migration. Committed, so that two branches with migrations conflict here, as they
 * should.
 */
const SNAPSHOT = "schema.prisma";
const HEADER = "// Written by npm run db:migration. The models as of ";

/**
 * Writes the SQL from the models of the last migration to the current ones, into
 * `<migrations>/<time>_<name>/migration.sql`. Returns undefined when nothing changed.
 *
 * It compares models with models, so what a migration adds by hand (partial indexes, checks, triggers) is not seen as
 * a difference and not dropped. Append such statements to the written file before it is applied; `byHand` writes a file
 * for them alone.
 */
export async function writeMigration(
  name: string,
  { schemaDir = resolve("prisma/schema"), dir = MIGRATIONS, byHand = false } = {},
): Promise<string | undefined> {
  const now = await readModels(schemaDir);
  const before = await readSnapshot(dir);
  const sql = (await difference(before, now)) ?? (byHand ? "-- What the models cannot say.\n" : undefined);
  if (!sql) return undefined;
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = `${stamp}_${name.toLowerCase().replace(/[^a-z0-9]+/g, "_")}`;
  await mkdir(join(dir, folder), { recursive: true });
  await writeFile(join(dir, folder, "migration.sql"), sql);
  await writeFile(join(dir, SNAPSHOT), `${HEADER}${folder}\n\n${now}`);
  await writeFile(join(dir, "migration_lock.toml"), 'provider = "postgresql"\n');
  return folder;
}

/** Returns the models of the newest migration, after checking that it still is the newest one. */
async function readSnapshot(dir: string): Promise<string | undefined> {
  const text = await readFile(join(dir, SNAPSHOT), "utf8").catch(() => undefined);
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const newest = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .at(-1);
  // All migrations were deleted in order to start over.
  if (!newest) return undefined;
  const known = text?.startsWith(HEADER) ? text.slice(HEADER.length).split("\n", 1)[0] : undefined;
  if (!text || (known && known !== newest)) {
    throw new OperatorError(
      `${join(dir, SNAPSHOT)} belongs to ${known ?? "no migration"}, the newest is ${newest}; restore both from git.`,
    );
  }
  return text;
}

async function readModels(schemaDir: string): Promise<string> {
  const files = (await readdir(schemaDir)).filter((file) => file.endsWith(".prisma")).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(schemaDir, file), "utf8")));
  return texts
    .map((text) => text.trim())
    .join("\n\n")
    .concat("\n");
}

async function difference(before: string | undefined, now: string): Promise<string | undefined> {
  const { SchemaEngine } = await engine();
  // Models are compared with models, but the engine first asks a database for its version.
  const scratch = await startEmbeddedPostgres({
    dataDir: await mkdtemp(join(tmpdir(), "tellal-migration-")),
    ephemeral: true,
  });
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(scratch.url));
    const schema = await SchemaEngine.new({ datamodels: [[SNAPSHOT, now]] }, () => {}, adapter);
    const { exitCode, stdout } = await schema.diff({
      from: before === undefined ? { tag: "empty" } : models(before),
      to: models(now),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    // 2 is the engine's code for "there is a difference".
    return exitCode === 2 && stdout ? stdout : undefined;
  } finally {
    await scratch.stop();
  }
}

function models(content: string): DiffTarget {
  return { tag: "schemaDatamodel", files: [{ path: SNAPSHOT, content }] };
}

let loaded: Promise<Engine> | undefined;

/** Once per process: a second instance panics over the first one's global state. */
function engine(): Promise<Engine> {
  loaded ??= loadEngine();
  return loaded;
}

/**
 * Prisma's schema engine as WebAssembly. The command line would download a native one, which a closed network
 * refuses. The package's entry imports the .wasm file as a module, which Node cannot do, so it is set up here.
 */
async function loadEngine(): Promise<Engine> {
  const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const glue = (await import("@prisma/schema-engine-wasm/schema_engine_bg")) as Engine & {
    __wbg_set_wasm(exports: WebAssembly.Exports): void;
  };
  const code = await readFile(entry.replace(/\.js$/, ".wasm"));
  const { instance } = await WebAssembly.instantiate(code, { "./schema_engine_bg.js": glue as never });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
  return glue;
}

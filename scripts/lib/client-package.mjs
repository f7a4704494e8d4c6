import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bin, node, npm, root } from "./steps.mjs";

/** Dependencies that are packed with the client, so that it installs without a registry. */
const PACKED = ["openapi-fetch", "openapi-typescript-helpers"];

/** Packs the TypeScript client as `tellal-client.tgz` into a folder. Throws if a tool fails, after printing its output. */
export async function packClient(target) {
  const temporary = mkdtempSync(join(tmpdir(), "tellal-client-"));
  const work = join(temporary, "package");
  try {
    const esbuild = await import("esbuild");
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: ["client/index.ts"],
      outfile: join(work, "index.js"),
      bundle: true,
      format: "esm",
      target: "es2022",
      packages: "external",
      logLevel: "error",
    });
    // Otherwise esbuild's process stays.
    await esbuild.stop();
    await succeed("tsc", node([bin.tsc, "-p", "client", "--outDir", work]));
    cpSync(join(root, "client/generated/schema.d.ts"), join(work, "generated/schema.d.ts"));
    const {
      devDependencies: _,
      private: __,
      ...manifest
    } = JSON.parse(readFileSync(join(root, "client/package.json"), "utf8"));
    writeFileSync(join(work, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const name of PACKED)
      cpSync(join(root, "node_modules", name), join(work, "node_modules", name), { recursive: true });
    mkdirSync(target, { recursive: true });
    const options = ["--pack-destination", temporary, "--loglevel", "error"];
    // A temporary cache: a system user may have no home directory.
    const env = { npm_config_cache: join(temporary, "cache") };
    await succeed("npm pack", npm(["pack", work, ...options], { env }));
    const archive = readdirSync(temporary).find((name) => name.endsWith(".tgz"));
    cpSync(join(temporary, archive), join(target, "tellal-client.tgz"));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function succeed(name, running) {
  const { ok } = await running;
  if (!ok) throw new Error(`${name} failed, see its output above.`);
}

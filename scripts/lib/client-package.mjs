import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bin, node, npm, root } from "./steps.mjs";

/** Dependencies that are packed with the client, so that it installs without a registry. */
const BUNDLED_PACKAGES = ["openapi-fetch", "openapi-typescript-helpers"];

/** Packs the TypeScript client as `tellal-client.tgz` into a folder. Throws if a tool fails. */
export async function packClient(target) {
  const temporaryDirectory = mkdtempSync(join(tmpdir(), "tellal-client-"));
  const packageDirectory = join(temporaryDirectory, "package");
  try {
    const esbuild = await import("esbuild");
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: ["client/index.ts"],
      outfile: join(packageDirectory, "index.js"),
      bundle: true,
      format: "esm",
      target: "es2022",
      packages: "external",
      logLevel: "error",
    });
    // esbuild's child process would keep this one alive.
    await esbuild.stop();
    await requireSuccess("tsc", node([bin.tsc, "-p", "client", "--outDir", packageDirectory]));
    cpSync(join(root, "client/generated/schema.d.ts"), join(packageDirectory, "generated/schema.d.ts"));
    const {
      devDependencies: _,
      private: __,
      ...manifest
    } = JSON.parse(readFileSync(join(root, "client/package.json"), "utf8"));
    writeFileSync(join(packageDirectory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const name of BUNDLED_PACKAGES)
      cpSync(join(root, "node_modules", name), join(packageDirectory, "node_modules", name), {
        recursive: true,
      });
    mkdirSync(target, { recursive: true });
    const options = ["--pack-destination", temporaryDirectory, "--loglevel", "error"];
    // A temporary cache: a system user may have no home directory.
    const env = { npm_config_cache: join(temporaryDirectory, "cache") };
    await requireSuccess("npm pack", npm(["pack", packageDirectory, ...options], { env }));
    const archive = readdirSync(temporaryDirectory).find((name) => name.endsWith(".tgz"));
    cpSync(join(temporaryDirectory, archive), join(target, "tellal-client.tgz"));
  } finally {
    rmSync(temporaryDirectory, { recursive: true, force: true });
  }
}

async function requireSuccess(name, run) {
  const { ok } = await run;
  if (!ok) throw new Error(`${name} failed, see its output above.`);
}

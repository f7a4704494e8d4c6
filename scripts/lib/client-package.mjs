import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bin, node, npm, root } from "./steps.mjs";

/** What the client needs, packed with it: an installation serves everything itself. */
const PACKED = ["openapi-fetch", "openapi-typescript-helpers"];

/** Packs the TypeScript client as `tellal-client.tgz` in a folder. Throws with what a tool said. */
export async function packClient(target) {
  const work = mkdtempSync(join(tmpdir(), "tellal-client-"));
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
    await done(node([bin.tsc, "-p", "client", "--outDir", work]));
    cpSync(join(root, "client/schema.d.ts"), join(work, "schema.d.ts"));
    const {
      devDependencies: _,
      private: __,
      ...manifest
    } = JSON.parse(readFileSync(join(root, "client/package.json"), "utf8"));
    writeFileSync(join(work, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const name of PACKED)
      cpSync(join(root, "node_modules", name), join(work, "node_modules", name), { recursive: true });
    mkdirSync(target, { recursive: true });
    const { output } = await done(npm(["pack", work, "--pack-destination", work, "--silent"]));
    const file = output.trim().split("\n").at(-1);
    cpSync(join(work, file), join(target, "tellal-client.tgz"));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function done(running) {
  const result = await running;
  if (!result.ok) throw new Error(result.output);
  return result;
}

import { isBuiltin } from "node:module";
import { build } from "esbuild";
import { filesBelow } from "./files.mjs";
import { root } from "./steps.mjs";

/**
 * Returns every static import of a package in `scripts/*.mjs` and the files they import. These run on a clean clone,
 * where such an import fails before the script can install anything.
 */
export async function packagesBeforeInstall(): Promise<Array<{ path: string; name: string }>> {
  const scripts = filesBelow("scripts").filter((path) => /^scripts\/[\w-]+\.mjs$/.test(path));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: scripts,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    metafile: true,
    write: false,
    outdir: "dist",
    logLevel: "error",
  });
  const staticImports = (path: string) =>
    (metafile.inputs[path]?.imports ?? []).filter(({ kind }) => kind === "import-statement");
  const reached = new Set(scripts);
  for (const path of reached)
    for (const { external, path: target } of staticImports(path)) if (!external) reached.add(target);
  return [...reached].flatMap((path) =>
    staticImports(path)
      .filter(({ external, path: name }) => external && !isBuiltin(name))
      .map(({ path: name }) => ({ path, name })),
  );
}

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describedForClient, operationsSource } from "./lib/client-source";

/*
 * npm run client   writes the parts of the TypeScript client that are made from the API's description
 */
const folder = join(import.meta.dirname, "../client");
const compiler = join(folder, "node_modules/openapi-typescript/bin/cli.js");
// A package of its own, because the generator needs an older TypeScript than ours.
if (!existsSync(compiler))
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
const temporary = mkdtempSync(join(tmpdir(), "tellal-client-"));
try {
  const file = join(temporary, "openapi.json");
  writeFileSync(file, JSON.stringify(describedForClient()));
  execFileSync(process.execPath, [compiler, file, "-o", join(folder, "schema.d.ts")], { stdio: "inherit" });
  writeFileSync(join(folder, "operations.ts"), operationsSource());
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tellal-clone-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it.each(["backup", "lint", "budgets"])(
  "npm run %s on a clean clone names the command to run first",
  (name) => {
    const clone = temporaryFolder();
    for (const path of ["scripts", "package.json", ".gitignore"])
      cpSync(path, join(clone, path), { recursive: true });
    const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", name], {
      cwd: clone,
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^Run `npm run (generate|build)` first: [^\n]+\.\n$/);
  },
);

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";

function createTemporaryDirectory(): string {
  const folder = mkdtempSync(join(tmpdir(), "tellal-clone-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it.each([
  { name: "audit:check", packages: false },
  { name: "lint", packages: false },
  { name: "budgets", packages: false },
  { name: "seed", packages: true },
])("npm run $name names the command to run first (packages: $packages)", ({ name, packages }) => {
  const clone = createTemporaryDirectory();
  for (const path of ["scripts", "prisma/seed.ts", "package.json", ".gitignore"])
    cpSync(path, join(clone, path), { recursive: true });
  if (packages) symlinkSync(resolve("node_modules"), join(clone, "node_modules"));
  const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", name], {
    cwd: clone,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^Run `npm run (generate|build)` first: [^\n]+\.\n$/);
});

it("packs the client without a home directory and with a TMPDIR that does not exist", () => {
  const target = createTemporaryDirectory();
  const program = `
    import { packClient } from "./scripts/lib/client-package.mjs";
    import { readFileSync } from "node:fs";
    import { checkEnvironment } from "./scripts/lib/steps.mjs";
    checkEnvironment();
    await packClient(${JSON.stringify(target)});
    process.stdout.write(readFileSync(\`/proc/self/task/\${process.pid}/children\`));`;
  const children = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    // Nothing can be created below /proc.
    env: { NODE_ENV: "test", PATH: process.env.PATH, HOME: "/proc/home", TMPDIR: "/proc/tmp" },
  });
  expect(existsSync(join(target, "tellal-client.tgz"))).toBe(true);
  expect(String(children), "processes left behind").toBe("");
});

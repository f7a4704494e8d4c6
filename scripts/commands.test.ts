import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { afterAll, describe, expect, it, vi } from "vitest";
import { OperatorError, toOperatorError } from "@/server/core/operator-error";
import { backUp } from "@/server/infrastructure/backup/backup";
import { checkBackup } from "@/server/infrastructure/backup/restore";
import { createEmptyDatabase, createTestDatabase } from "@/server/testing/database";
import { overrideSettings } from "@/server/testing/settings";
import { runCommand } from "./lib/command";
import { requireDataDirectory, withInstallation } from "./lib/installation";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const databaseUrl = await createTestDatabase();
const emptyDatabaseUrl = await createEmptyDatabase();
const directory = mkdtempSync(join(tmpdir(), "tellal-commands-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const getTestPath = (name: string) => join(directory, name);

const limitConcurrency = pLimit(3);

interface ScriptResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

function runScript(script: string, args: string[], { env = {}, cwd = "." } = {}): Promise<ScriptResult> {
  return limitConcurrency(
    () =>
      new Promise<ScriptResult>((resolve) => {
        const child = spawn("sh", ["-c", `${script} "$@"`, "sh", ...args], {
          cwd,
          stdio: ["ignore", "pipe", "pipe"],
          env: { NODE_ENV: "test", PATH: process.env.PATH, HOME: getTestPath("home"), ...env },
        });
        let stdout = "";
        let stderr = "";
        child.stdout.on("data", (chunk) => (stdout += chunk));
        child.stderr.on("data", (chunk) => (stderr += chunk));
        child.on("close", (code) => resolve({ code, stdout, stderr }));
      }),
  );
}

describe("--help", () => {
  const clone = getTestPath("clone");
  for (const path of [
    "scripts",
    "bench",
    "prisma/seed.ts",
    "package.json",
    "package-lock.json",
    ".gitignore",
  ])
    cpSync(path, join(clone, path), { recursive: true });
  const listFiles = () => readdirSync(clone, { recursive: true, encoding: "utf8" }).sort();
  const filesBefore = listFiles();

  it.concurrent.each(Object.keys(scripts))(
    "explains npm run %s on a clone without packages",
    async (name) => {
      const command = name === "start" || name === "test" ? `npm ${name}` : `npm run ${name}`;
      const env = { DATA_DIR: getTestPath("no-data") };
      const { code, stdout, stderr } = await runScript(scripts[name]!, ["--help"], { cwd: clone, env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(name === "sbom" ? "npm sbom" : command);
    },
  );

  it.concurrent.each(["main", "worker"])("explains dist/%s.js", async (program) => {
    const programCommand = `node --import tsx server/${program}.ts`;
    const { code, stdout, stderr } = await runScript(programCommand, ["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`node dist/${program}.js`);
    expect(await runScript(programCommand, ["--port=80"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Unexpected argument '--port=80'\.\n\nnode dist/),
    });
  });

  afterAll(() => {
    expect(listFiles()).toEqual(filesBefore);
    expect(existsSync(getTestPath("no-data"))).toBe(false);
  });
});

describe("arguments", () => {
  it("prints the usage for -h, too", async () => {
    expect(await runScript(scripts.backup!, ["-h"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^npm run/),
    });
  });

  it.concurrent.each([
    ["backup", ["--verbose"], "Unknown option '--verbose'."],
    ["backup", ["-name"], "Unknown option '-n'."],
    ["backup", ["one", "two"], "Unexpected argument 'two'."],
    ["backup", [], "<file> is missing."],
    ["chains:check", ["--deep"], "Unknown option '--deep'."],
    ["chains:check", ["payments"], "payments is no chain; there are audit, consents, agreements."],
    ["chains:check", ["agreements", "readme.md"], /^readme\.md is no hash of a signature; /],
    ["audit:check", ["one", "two"], "Unexpected argument 'two'."],
    ["audit:check", ["readme.md"], "readme.md is no hash of a seal; one has 64 digits from 0 to f."],
    ["consents:check", ["0".repeat(63)], /^0{63} is no hash of a head; one has 64 digits from 0 to f\.$/],
    ["db:reset", ["--y"], "Unknown option '--y'."],
    ["db:reset", ["--yes=no"], "Option '--yes' does not take an argument."],
    ["seed", ["demo"], "Unexpected argument 'demo'."],
    ["bench", ["compare"], "<checkout> is missing."],
    ["bench", ["nothing"], "nothing is none of these."],
    ["start", ["worker", "now"], "Unexpected argument 'now'."],
    ["worker", ["--port"], "Unknown option '--port'."],
    ["build", ["--fast"], "Unknown option '--fast'."],
    ["verify", ["server/core"], "Unexpected argument 'server/core'."],
  ] as const)("npm run %s refuses %j with its usage", async (name, args, sentence) => {
    const { code, stdout, stderr } = await runScript(scripts[name]!, [...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const [firstLine, secondLine, thirdLine] = stderr.split("\n");
    expect(firstLine).toMatch(sentence);
    expect([secondLine, thirdLine]).toEqual(["", expect.stringMatching(/^npm /)]);
  });
});

describe("a command that cannot run", () => {
  const settings = { APP_SECRET: randomBytes(32).toString("hex"), DATA_DIR: getTestPath("nothing") };
  const productionSettings = { ...settings, APP_MODE: "production", APP_URL: "https://panel.example.com" };
  const missingInstallation = `Nothing is here yet: DATA_DIR is ${getTestPath("nothing")}; is it that of the servers?`;
  mkdirSync(getTestPath("installation/postgres"), { recursive: true });
  writeFileSync(getTestPath("installation/postgres/PG_VERSION"), "18");

  it.concurrent.each([
    ["backup", [getTestPath("new.backup")], settings, missingInstallation],
    ["chains:check", ["agreements"], settings, missingInstallation],
    ["audit:check", [], settings, missingInstallation],
    ["consents:check", [], settings, missingInstallation],
    ["secrets:rotate", [], settings, missingInstallation],
    ["db:reset", ["--yes"], settings, missingInstallation],
    ["admin", ["boss@example.com"], productionSettings, missingInstallation],
    [
      "admin",
      ["agreement", "2027-01", getTestPath("no")],
      { ...productionSettings, DATABASE_URL: databaseUrl },
      `${getTestPath("no/tr.txt")} does not exist.`,
    ],
    [
      "db:reset",
      [],
      { DATA_DIR: getTestPath("installation") },
      "db:reset asks before it deletes; without a terminal, use -- --yes.",
    ],
    ["openapi", [getTestPath("no/openapi.json")], {}, `The folder ${getTestPath("no")} does not exist.`],
  ] as Array<[string, string[], Record<string, string>, string]>)(
    "npm run %s %j prints one sentence",
    async (name, args, env, sentence) => {
      const { code, stdout, stderr } = await runScript(scripts[name]!, args, { env });
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: `${sentence}\n` });
    },
  );

  afterAll(() => {
    expect(existsSync(getTestPath("nothing"))).toBe(false);
  });
});

describe("withInstallation", () => {
  const getRefusal = () => withInstallation(async () => "done").catch((error: Error) => error.message);

  it("accepts the database of a server", async () => {
    overrideSettings({ DATABASE_URL: databaseUrl, DATA_DIR: directory, APP_SECRET: "s".repeat(40) });
    expect(await getRefusal()).toBe("done");
  });

  it("refuses a database without tables", async () => {
    overrideSettings({ DATABASE_URL: emptyDatabaseUrl });
    expect(await getRefusal()).toBe(
      `The database ${new URL(emptyDatabaseUrl).pathname.slice(1)} has no tables of Tellal; is it that of the servers, and has one been started?`,
    );
  });

  it("refuses an unreachable database immediately", async () => {
    overrideSettings({ DATABASE_URL: "postgresql://tellal@127.0.0.1:9/tellal" });
    expect(await getRefusal()).toMatch(/^The database at 127\.0\.0\.1 cannot be reached \(ECONNREFUSED.*\)/);
  });

  it("refuses to create a secret", async () => {
    overrideSettings({ DATABASE_URL: databaseUrl, APP_SECRET: "" });
    expect(await getRefusal()).toBe(
      `Set APP_SECRET to that of the servers, or put its file app.secret at ${getTestPath("app.secret")}.`,
    );
    expect(existsSync(getTestPath("app.secret"))).toBe(false);
  });

  it("refuses a backup without the data directory", () => {
    overrideSettings({ DATA_DIR: getTestPath("nothing") });
    expect(requireDataDirectory).toThrow(/^Nothing is here yet/);
  });
});

describe("a backup file", () => {
  writeFileSync(getTestPath("old.backup"), "");

  it.each([
    [getTestPath("no/new.backup"), `The folder ${getTestPath("no")} does not exist.`],
    [getTestPath("old.backup"), `${getTestPath("old.backup")} exists already; give another name.`],
    [getTestPath("old.backup/new"), `${getTestPath("old.backup")} is not a folder.`],
    [directory, `${directory} is a folder; name a file in it.`],
  ])("is not written to %s", async (path, sentence) => {
    await expect(backUp(databaseUrl, path)).rejects.toMatchObject({ message: sentence });
    expect(readdirSync(directory).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it.each([
    [getTestPath("no.backup"), `${getTestPath("no.backup")} does not exist.`],
    [directory, `${directory} is a folder; name a file.`],
  ])("is not read from %s", async (path, sentence) => {
    await expect(checkBackup(path)).rejects.toMatchObject({ message: sentence });
  });

  it.each([
    ["EACCES", "read", "/b/x cannot be read by this user."],
    ["EACCES", "write", "/b/x cannot be written by this user; name another place."],
    ["EROFS", "write", "/b/x is on a file system that cannot be written to; name another place."],
    ["ENOSPC", "write", "The disk that holds /b is full; free some space and try again."],
  ] as const)("has its path in the error for %s (%s)", (code, fileAccess, sentence) => {
    expect(toOperatorError(Object.assign(new Error(), { code }), "/b/x", fileAccess)).toEqual(
      new OperatorError(sentence),
    );
  });
});

it("prints the stack of an unexpected error", async () => {
  const stderrWrite = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { exitCode } = process;
  await runCommand(() => {
    throw new TypeError("value is undefined");
  });
  expect(process.exitCode).toBe(1);
  process.exitCode = exitCode;
  expect(String(stderrWrite.mock.calls)).toMatch(/TypeError: value is undefined\n\s+at .*commands\.test\.ts/);
});

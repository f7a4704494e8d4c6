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
import { OperatorError, pathError } from "@/server/core/operator-error";
import { backUp } from "@/server/infrastructure/backup/backup";
import { checkBackup } from "@/server/infrastructure/backup/restore";
import { emptyDatabase, testDatabase } from "@/server/testing/database";
import { overrideSettings } from "@/server/testing/settings";
import { perform } from "./lib/command";
import { requireFiles, withInstallation } from "./lib/with-embedded";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const database = await testDatabase();
const withoutTables = await emptyDatabase();
const folder = mkdtempSync(join(tmpdir(), "tellal-commands-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

const limit = pLimit(3);

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a line of package.json with arguments, as npm does, in a terminal's absence. */
function run(line: string, args: string[], { env = {}, cwd = "." } = {}): Promise<Run> {
  return limit(
    () =>
      new Promise<Run>((done) => {
        const child = spawn("sh", ["-c", `${line} "$@"`, "sh", ...args], {
          cwd,
          stdio: ["ignore", "pipe", "pipe"],
          env: { NODE_ENV: "test", PATH: process.env.PATH, HOME: at("home"), ...env },
        });
        let stdout = "";
        let stderr = "";
        child.stdout.on("data", (chunk) => (stdout += chunk));
        child.stderr.on("data", (chunk) => (stderr += chunk));
        child.on("close", (code) => done({ code, stdout, stderr }));
      }),
  );
}

describe("--help", () => {
  const clone = at("clone");
  for (const path of [
    "scripts",
    "bench",
    "prisma/seed.ts",
    "package.json",
    "package-lock.json",
    ".gitignore",
  ])
    cpSync(path, join(clone, path), { recursive: true });
  const files = () => readdirSync(clone, { recursive: true, encoding: "utf8" }).sort();
  const before = files();

  it.concurrent.each(Object.keys(scripts))(
    "explains npm run %s on a clone without packages",
    async (name) => {
      const command = name === "start" || name === "test" ? `npm ${name}` : `npm run ${name}`;
      const env = { DATA_DIR: at("no-data") };
      const { code, stdout, stderr } = await run(scripts[name]!, ["--help"], { cwd: clone, env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(name === "sbom" ? "npm sbom" : command);
    },
  );

  it.concurrent.each(["main", "worker"])("explains dist/%s.js", async (program) => {
    const tsx = `node --import tsx server/${program}.ts`;
    const { code, stdout, stderr } = await run(tsx, ["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`node dist/${program}.js`);
    expect(await run(tsx, ["--port=80"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Unexpected argument '--port=80'\.\n\nnode dist/),
    });
  });

  afterAll(() => {
    expect(files()).toEqual(before);
    expect(existsSync(at("no-data"))).toBe(false);
  });
});

describe("arguments", () => {
  it("-h is --help", async () => {
    expect(await run(scripts.backup!, ["-h"])).toMatchObject({
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
    const { code, stdout, stderr } = await run(scripts[name]!, [...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const [first, second, third] = stderr.split("\n");
    expect(first).toMatch(sentence);
    expect([second, third]).toEqual(["", expect.stringMatching(/^npm /)]);
  });
});

describe("refusals of commands", () => {
  const settings = { APP_SECRET: randomBytes(32).toString("hex"), DATA_DIR: at("nothing") };
  const production = { ...settings, APP_MODE: "production", APP_URL: "https://panel.example.com" };
  const notHere = `Nothing is here yet: DATA_DIR is ${at("nothing")}; is it that of the servers?`;
  mkdirSync(at("installation/postgres"), { recursive: true });
  writeFileSync(at("installation/postgres/PG_VERSION"), "18");

  it.concurrent.each([
    ["backup", [at("new.backup")], settings, notHere],
    ["chains:check", ["agreements"], settings, notHere],
    ["audit:check", [], settings, notHere],
    ["consents:check", [], settings, notHere],
    ["secrets:rotate", [], settings, notHere],
    ["db:reset", ["--yes"], settings, notHere],
    ["admin", ["boss@example.com"], production, notHere],
    [
      "admin",
      ["agreement", "2027-01", at("no")],
      { ...production, DATABASE_URL: database },
      `${at("no/tr.txt")} does not exist.`,
    ],
    [
      "db:reset",
      [],
      { DATA_DIR: at("installation") },
      "db:reset asks before it deletes; without a terminal, use -- --yes.",
    ],
    ["openapi", [at("no/openapi.json")], {}, `The folder ${at("no")} does not exist.`],
  ] as Array<[string, string[], Record<string, string>, string]>)(
    "npm run %s %j prints one sentence",
    async (name, args, env, sentence) => {
      const { code, stdout, stderr } = await run(scripts[name]!, args, { env });
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: `${sentence}\n` });
    },
  );

  afterAll(() => {
    expect(existsSync(at("nothing"))).toBe(false);
  });
});

describe("refusals of an installation", () => {
  const refusal = () => withInstallation(async () => "done").catch((error: Error) => error.message);

  it("accepts the database of a server", async () => {
    overrideSettings({ DATABASE_URL: database, DATA_DIR: folder, APP_SECRET: "s".repeat(40) });
    expect(await refusal()).toBe("done");
  });

  it("refuses a database without tables", async () => {
    overrideSettings({ DATABASE_URL: withoutTables });
    expect(await refusal()).toBe(
      `The database ${new URL(withoutTables).pathname.slice(1)} has no tables of Tellal; is it that of the servers, and has one been started?`,
    );
  });

  it("refuses a database that cannot be reached, without a wait", async () => {
    overrideSettings({ DATABASE_URL: "postgresql://tellal@127.0.0.1:9/tellal" });
    expect(await refusal()).toMatch(/^The database at 127\.0\.0\.1 cannot be reached \(ECONNREFUSED.*\)/);
  });

  it("refuses to make a new secret", async () => {
    overrideSettings({ DATABASE_URL: database, APP_SECRET: "" });
    expect(await refusal()).toBe(
      `Set APP_SECRET to that of the servers, or put its file app.secret at ${at("app.secret")}.`,
    );
    expect(existsSync(at("app.secret"))).toBe(false);
  });

  it("refuses a backup without the folder of files", () => {
    overrideSettings({ DATA_DIR: at("nothing") });
    expect(requireFiles).toThrow(/^Nothing is here yet/);
  });
});

describe("refusals of a file", () => {
  writeFileSync(at("old.backup"), "");

  it.each([
    [at("no/new.backup"), `The folder ${at("no")} does not exist.`],
    [at("old.backup"), `${at("old.backup")} exists already; give another name.`],
    [at("old.backup/new"), `${at("old.backup")} is not a folder.`],
    [folder, `${folder} is a folder; name a file in it.`],
  ])("no backup is written to %s", async (path, sentence) => {
    await expect(backUp(database, path)).rejects.toMatchObject({ message: sentence });
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it.each([
    [at("no.backup"), `${at("no.backup")} does not exist.`],
    [folder, `${folder} is a folder; name a file.`],
  ])("no backup is read from %s", async (path, sentence) => {
    await expect(checkBackup(path)).rejects.toMatchObject({ message: sentence });
  });

  it.each([
    ["EACCES", "read", "/b/x cannot be read by this user."],
    ["EACCES", "write", "/b/x cannot be written by this user; name another place."],
    ["EROFS", "write", "/b/x is on a file system that cannot be written to; name another place."],
    ["ENOSPC", "write", "The disk that holds /b is full; free some space and try again."],
  ] as const)("names the path of %s (%s)", (code, use, sentence) => {
    expect(pathError(Object.assign(new Error(), { code }), "/b/x", use)).toEqual(new OperatorError(sentence));
  });
});

it("keeps the stack of a bug", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { exitCode } = process;
  await perform(() => {
    throw new TypeError("value is undefined");
  });
  expect(process.exitCode).toBe(1);
  process.exitCode = exitCode;
  expect(String(written.mock.calls)).toMatch(/TypeError: value is undefined\n\s+at .*commands\.test\.ts/);
});

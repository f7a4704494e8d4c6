import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Environment of tools: no telemetry, no download of Prisma's unused native engine. */
const TOOL_ENV = {
  NEXT_TELEMETRY_DISABLED: "1",
  CHECKPOINT_DISABLE: "1",
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
  // `prisma generate` only checks that this file exists.
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
};

export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Unsets TMPDIR if it does not exist, and exits on an unsupported Node.js. */
export function checkEnvironment() {
  if (process.env.TMPDIR && !existsSync(process.env.TMPDIR)) delete process.env.TMPDIR;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Tellal needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
}

/** Prints a finished step in the format of server/core/log.ts; `cpu` is in seconds. */
export function printStep(text, startedAt, cpu) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const cpuText = cpu === undefined ? "" : ` ${cpu.toFixed(1).padStart(8)} s of CPU`;
  process.stdout.write(`  ${text.padEnd(58)} ${seconds.padStart(6)} s${cpuText}\n`);
}

/** Paths of the command-line programs, from `bin` of each package. */
export const bin = {
  next: "node_modules/next/dist/bin/next",
  prisma: "node_modules/prisma/build/index.js",
  tsc: "node_modules/typescript/bin/tsc",
  biome: "node_modules/@biomejs/biome/bin/biome",
  knip: "node_modules/knip/bin/knip.js",
  vitest: "node_modules/vitest/vitest.mjs",
  playwright: "node_modules/@playwright/test/cli.js",
  tsx: "node_modules/tsx/dist/cli.mjs",
  openapiTypescript: "client/node_modules/openapi-typescript/bin/cli.js",
};

/** Runs a program. Prints its output on failure, or immediately with `show`. Kills it after `minutes`. */
export function run(command, args, { env = {}, show = false, minutes = 15, shell = false } = {}) {
  return new Promise((resolveRun) => {
    const child = spawn(command, args, {
      cwd: root,
      shell,
      env: { ...process.env, ...TOOL_ENV, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
    });
    runningChildren.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
        if (show) process.stdout.write(chunk);
      });
    }
    let isTimedOut = false;
    const killTimer = setTimeout(() => {
      isTimedOut = true;
      killGroup(child, "SIGKILL");
    }, minutes * 60_000);
    const finish = (ok) => {
      clearTimeout(killTimer);
      runningChildren.delete(child);
      if (isTimedOut) output += `\nstopped after ${minutes} minutes\n`;
      if (!ok && !show) process.stdout.write(output);
      resolveRun({ ok, output });
    };
    child.on("error", (error) => {
      output += error.message;
      finish(false);
    });
    child.on("close", (code) => finish(code === 0 && !isTimedOut));
  });
}

/** Runs npm. On Windows it is a batch file, which needs a shell and quoted arguments. */
export const npm = (args, options) =>
  process.platform === "win32"
    ? run(
        "npm",
        args.map((argument) => `"${argument}"`),
        { ...options, shell: true },
      )
    : run("npm", args, options);

export const node = (args, options) => run(process.execPath, args, options);

const runningChildren = new Set();

function killGroup(child, signal) {
  try {
    // A killed `next build` leaves its workers: kill the group.
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has already exited.
  }
}

/** Kills running steps and exits on a signal, until the returned function is called. */
export function stopOnSignals() {
  const stop = (signal) => {
    for (const child of runningChildren) killGroup(child, "SIGKILL");
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

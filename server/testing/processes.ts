import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, onTestFinished } from "vitest";

const bundleByName = new Map<string, string>();
const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Bundles a program once: tsx would transpile it on every start. */
export function bundleProgram(name: string): string {
  let file = bundleByName.get(name);
  if (!file) {
    mkdirSync("node_modules/.cache", { recursive: true });
    const directory = mkdtempSync(resolve("node_modules/.cache/tellal-program-"));
    directories.push(directory);
    file = join(directory, `${name}.mjs`);
    buildSync({
      entryPoints: [resolve("server/testing/processes", `${name}.ts`)],
      outfile: file,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      packages: "external",
      logLevel: "error",
      alias: { "server-only": resolve("node_modules/server-only/empty.js") },
    });
    bundleByName.set(name, file);
  }
  return file;
}

/** Starts a program of server/testing/processes and resolves with its first line; killed after the test. */
export async function startProgram(
  name: string,
  ...args: string[]
): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [bundleProgram(name), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const line = await new Promise<string>((resolveLine, rejectLine) => {
    let text = "";
    child.stdout!.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolveLine(text.slice(0, text.indexOf("\n")));
    });
    child.on("exit", (code) => rejectLine(new Error(`${name} ended with ${code} before it was ready`)));
  });
  return { child, line };
}

export async function killProcess(child: ChildProcess): Promise<void> {
  const exitPromise = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exitPromise;
}

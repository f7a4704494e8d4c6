import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, onTestFinished } from "vitest";

const programs = new Map<string, string>();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A program as one file, as the build makes those of the server: tsx would translate it anew for every start. */
function bundled(name: string): string {
  let file = programs.get(name);
  if (!file) {
    // Within the project, where its packages are found.
    mkdirSync("node_modules/.cache", { recursive: true });
    const folder = mkdtempSync(resolve("node_modules/.cache/tellal-program-"));
    folders.push(folder);
    file = join(folder, `${name}.mjs`);
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
    programs.set(name, file);
  }
  return file;
}

/** Starts a program of server/testing/processes and resolves with its first line. Killed after the test. */
export async function startProgram(
  name: string,
  ...args: string[]
): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [bundled(name), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const line = await new Promise<string>((found, failed) => {
    let text = "";
    child.stdout!.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) found(text.slice(0, text.indexOf("\n")));
    });
    child.on("exit", (code) => failed(new Error(`${name} ended with ${code} before it was ready`)));
  });
  return { child, line };
}

/** Sends kill -9 and waits for the process to end. */
export async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { onTestFinished } from "vitest";

/** Starts a program of server/testing/processes and resolves with its first line. Killed after the test. */
export async function startProgram(
  name: string,
  ...args: string[]
): Promise<{ child: ChildProcess; line: string }> {
  const file = resolve("server/testing/processes", `${name}.ts`);
  const child = spawn(process.execPath, ["--import", "tsx", file, ...args], {
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

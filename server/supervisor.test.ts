import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startProgram } from "./testing/processes";

async function startSupervised(behaviour: string) {
  const folder = mkdtempSync(join(tmpdir(), "tellal-supervise-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { child } = await startProgram("supervise", folder, behaviour);
  let log = "";
  child.stdout!.on("data", (chunk) => (log += chunk));
  return {
    child,
    exitCode: once(child, "exit").then(([code]) => code as number),
    countStarts: () => readFileSync(join(folder, "starts"), "utf8").length,
    readRestarts: () =>
      log
        .split("\n")
        .filter((line) => line.includes("program.ended"))
        .map((line) => JSON.parse(line)),
  };
}

it("restarts a program that has served, with growing delays, and logs each restart", async () => {
  const { exitCode, countStarts, readRestarts } = await startSupervised(`
    process.send("serving");
    if (starts < 5) setTimeout(() => process.kill(process.pid, "SIGKILL"), 50);
    else setTimeout(() => process.exit(0), 50);`);
  expect(await exitCode, "an exit with 0 is a stop").toBe(0);
  expect(countStarts()).toBe(5);
  // testing/processes/supervise.ts passes delays of 0, 20 and 40 ms.
  expect(readRestarts().map(({ signal, restarts_in }) => [signal, restarts_in])).toEqual([
    ["SIGKILL", 0],
    ["SIGKILL", 0.02],
    ["SIGKILL", 0.04],
    ["SIGKILL", 0.04],
  ]);
});

it("exits with the code of a program that never served", async () => {
  const { exitCode, countStarts } = await startSupervised("process.exit(3);");
  expect(await exitCode).toBe(3);
  expect(countStarts()).toBe(1);
});

it("forwards a signal and exits with the program's code", async () => {
  const { child, exitCode, countStarts } = await startSupervised('process.send("serving");');
  await expect.poll(countStarts).toBe(1);
  child.kill("SIGTERM");
  // The program of testing/processes/supervise.ts exits with 7 on SIGTERM.
  expect(await exitCode).toBe(7);
});

it("stops the program when the supervisor is killed", async () => {
  const { child, exitCode, countStarts } = await startSupervised(`
    process.on("exit", () => appendFileSync(process.argv[1].replace("program.mjs", "starts"), "!"));
    process.send("serving");`);
  await expect.poll(countStarts).toBe(1);
  child.kill("SIGKILL");
  await exitCode;
  await expect.poll(countStarts, { message: "the program recorded its exit" }).toBe(2);
});

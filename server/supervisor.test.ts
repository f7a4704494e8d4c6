import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startProgram } from "./testing/processes";

/** Supervises a program that runs `behaviour` at each start; `starts` is the number of the start. */
async function supervised(behaviour: string) {
  const folder = mkdtempSync(join(tmpdir(), "tellal-supervise-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { child } = await startProgram("supervise", folder, behaviour);
  let log = "";
  child.stdout!.on("data", (chunk) => (log += chunk));
  return {
    child,
    ended: once(child, "exit").then(([code]) => code as number),
    starts: () => readFileSync(join(folder, "starts"), "utf8").length,
    restarts: () =>
      log
        .split("\n")
        .filter((line) => line.includes("program.ended"))
        .map((line) => JSON.parse(line)),
  };
}

it("restarts a program that has served, with growing delays, and logs each restart", async () => {
  const { ended, starts, restarts } = await supervised(`
    process.send("serving");
    if (starts < 5) setTimeout(() => process.kill(process.pid, "SIGKILL"), 50);
    else setTimeout(() => process.exit(0), 50);`);
  expect(await ended, "an exit with 0 is a stop").toBe(0);
  expect(starts()).toBe(5);
  expect(restarts().map(({ signal, restarts_in }) => [signal, restarts_in])).toEqual([
    ["SIGKILL", 0],
    ["SIGKILL", 0.02],
    ["SIGKILL", 0.04],
    ["SIGKILL", 0.04],
  ]);
});

it("ends with the exit code of a program that never served", async () => {
  const { ended, starts } = await supervised("process.exit(3);");
  expect(await ended).toBe(3);
  expect(starts()).toBe(1);
});

it("passes a signal on and ends with the exit code of the program", async () => {
  const { child, ended, starts } = await supervised('process.send("serving");');
  await expect.poll(starts).toBe(1);
  child.kill("SIGTERM");
  expect(await ended).toBe(7);
});

it("is followed by the program when it is killed", async () => {
  const { child, ended, starts } = await supervised(`
    process.on("exit", () => appendFileSync(process.argv[1].replace("program.mjs", "starts"), "!"));
    process.send("serving");`);
  await expect.poll(starts).toBe(1);
  child.kill("SIGKILL");
  await ended;
  await expect.poll(starts, { message: "the program wrote down its end" }).toBe(2);
});

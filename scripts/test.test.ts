import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const run = (...args: string[]) =>
  spawnSync(process.execPath, ["scripts/test.mjs", ...args], { encoding: "utf8", timeout: 60_000 });

it.each(["--help", "-h"])("npm test -- %s explains itself and runs nothing", (flag) => {
  const { status, stdout } = run(flag);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^npm test /);
  expect(stdout).not.toMatch(/passed, \d+ failed/);
});

it("refuses what it does not know", () => {
  const { status, stderr } = run("server/core");
  expect(status).toBe(1);
  expect(stderr).toContain("Unknown: server/core");
});

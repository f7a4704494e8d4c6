import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killProcess, startProgram } from "../testing/processes";
import { lockDataDirectory, toSocketPath } from "./data-directory-lock";

let parentDir: string;
beforeAll(async () => {
  parentDir = await mkdtemp(join(tmpdir(), "tellal-lock-"));
});
afterAll(() => rm(parentDir, { recursive: true, force: true }));

describe("the lock of a data directory", () => {
  it("rejects a second process, naming directory and holder", async () => {
    const dir = join(parentDir, "a");
    const { child } = await startProgram("hold-lock", dir);
    const startedAt = performance.now();
    await expect(lockDataDirectory(dir)).rejects.toThrow(`${dir} is in use by process ${child.pid};`);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it("is released when its holder is killed", async () => {
    const dir = join(parentDir, "b");
    const { child } = await startProgram("hold-lock", dir);
    await killProcess(child);
    const unlock = await lockDataDirectory(dir);
    unlock();
  });

  it("treats a symbolic link as the directory it points to", async () => {
    const dir = join(parentDir, "c");
    await startProgram("hold-lock", dir);
    await symlink(dir, join(parentDir, "link"));
    await expect(lockDataDirectory(join(parentDir, "link"))).rejects.toThrow(`${dir} is in use`);
  });

  it("can be released and taken again", async () => {
    const dir = join(parentDir, "d");
    const unlock = await lockDataDirectory(dir);
    await expect(lockDataDirectory(dir)).rejects.toThrow(`in use by process ${process.pid}`);
    unlock();
    (await lockDataDirectory(dir))();
  });
});

it("names DATA_DIR if the path cannot be a directory", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "tellal-lock-")), "file");
  await writeFile(file, "");
  for (const path of [file, join(file, "below")])
    await expect(lockDataDirectory(path)).rejects.toThrow(
      /^The data directory .* set DATA_DIR to another place\.$/,
    );
});

it("uses a socket path within the system's limit", () => {
  const longPath = `/Users/somebody/${"a-long-name/".repeat(20)}data`;
  expect(toSocketPath("/Users/somebody/.data", "darwin")).toBe("/Users/somebody/.data/lock.sock");
  expect(toSocketPath(longPath, "darwin")).toMatch(/^\/tmp\/tellal-[0-9a-f]{32}\.sock$/);
  expect(toSocketPath("C:\\data", "win32")).toMatch(/^\\\\\.\\pipe\\tellal-[0-9a-f]{32}$/);
});

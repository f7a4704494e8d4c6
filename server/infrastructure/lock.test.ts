import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killProcess, startProgram } from "../testing/processes";
import { lockDataDirectory, socketPath } from "./lock";

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "tellal-lock-"));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

describe("the lock of a data directory", () => {
  it("rejects a second process, naming directory and holder", async () => {
    const dir = join(parent, "a");
    const { child } = await startProgram("hold-lock", dir);
    const startedAt = performance.now();
    await expect(lockDataDirectory(dir)).rejects.toThrow(`${dir} is in use by process ${child.pid};`);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it("is released when its holder is killed", async () => {
    const dir = join(parent, "b");
    const { child } = await startProgram("hold-lock", dir);
    await killProcess(child);
    const unlock = await lockDataDirectory(dir);
    unlock();
  });

  it("treats a symbolic link as the directory it points to", async () => {
    const dir = join(parent, "c");
    await startProgram("hold-lock", dir);
    await symlink(dir, join(parent, "link"));
    await expect(lockDataDirectory(join(parent, "link"))).rejects.toThrow(`${dir} is in use`);
  });

  it("can be released and taken again", async () => {
    const dir = join(parent, "d");
    const unlock = await lockDataDirectory(dir);
    await expect(lockDataDirectory(dir)).rejects.toThrow(`in use by process ${process.pid}`);
    unlock();
    (await lockDataDirectory(dir))();
  });
});

it("names DATA_DIR if the path cannot be a directory", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "tellal-lock-")), "file");
  await writeFile(file, "");
  for (const place of [file, join(file, "below")])
    await expect(lockDataDirectory(place)).rejects.toThrow(
      /^The data directory .* set DATA_DIR to another place\.$/,
    );
});

it("uses a socket path within the system's limit", () => {
  const long = `/Users/somebody/${"a-long-name/".repeat(20)}data`;
  expect(socketPath("/Users/somebody/.data", "darwin")).toBe("/Users/somebody/.data/lock.sock");
  expect(socketPath(long, "darwin")).toMatch(/^\/tmp\/tellal-[0-9a-f]{32}\.sock$/);
  expect(socketPath("C:\\data", "win32")).toMatch(/^\\\\\.\\pipe\\tellal-[0-9a-f]{32}$/);
});

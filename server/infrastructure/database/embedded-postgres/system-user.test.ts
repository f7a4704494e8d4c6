import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findBlockedDirectory } from "./system-user";

it("finds a missing directory as one that cannot be entered; on Windows checks none", async () => {
  const missingDir = join(import.meta.dirname, "missing");
  const systemUser = { name: userInfo().username };
  expect(await findBlockedDirectory(systemUser, import.meta.dirname, "linux")).toBeUndefined();
  expect(await findBlockedDirectory(systemUser, missingDir, "linux")).toBe(missingDir);
  expect(await findBlockedDirectory(systemUser, missingDir, "win32")).toBeUndefined();
});

import { join } from "node:path";
import { expect, it } from "vitest";
import { chooseSystemUser, findBlockedDirectory } from "./system-user";

it("finds a missing directory as one that cannot be entered; on Windows checks none", async () => {
  const missingDir = join(import.meta.dirname, "missing");
  // Run by root on a machine without the user postgres, this creates the user tellal.
  const systemUser = await chooseSystemUser(missingDir);
  expect(await findBlockedDirectory(systemUser, missingDir, "linux")).toBe(missingDir);
  expect(await findBlockedDirectory(systemUser, missingDir, "win32")).toBeUndefined();
});

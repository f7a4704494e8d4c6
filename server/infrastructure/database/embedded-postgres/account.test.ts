import { join } from "node:path";
import { expect, it } from "vitest";
import { chooseAccount, findBlockedDirectory } from "./account";

it("finds the directory that the database user cannot enter, except on Windows", async () => {
  const missing = join(import.meta.dirname, "missing");
  const account = await chooseAccount(missing);
  expect(await findBlockedDirectory(account, missing, "linux")).toBe(missing);
  expect(await findBlockedDirectory(account, missing, "win32")).toBeUndefined();
});

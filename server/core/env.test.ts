import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startProgram } from "@/server/testing/processes";

it("reads the settings file once: what is written later is for the next start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tellal-env-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect((await startProgram("read-settings", folder)).line).toBe("false false");
  expect((await startProgram("read-settings", folder)).line).toBe("true true");
});

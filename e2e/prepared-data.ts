import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder for prepared data and its secret; removes the folder after the run. */
export default function globalSetup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "tellal-prepared-"));
  Object.assign(process.env, { PREPARED_DATA: folder, PREPARED_SECRET: randomBytes(30).toString("hex") });
  return () => rmSync(folder, { recursive: true, force: true });
}

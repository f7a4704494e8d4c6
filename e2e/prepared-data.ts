import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates folder and secret of the data that servers of a run copy; removes the folder at the end. */
export default function globalSetup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "tellal-prepared-"));
  Object.assign(process.env, { PREPARED_DATA: folder, PREPARED_SECRET: randomBytes(30).toString("hex") });
  return () => rmSync(folder, { recursive: true, force: true });
}

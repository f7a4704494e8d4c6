import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";

/** Returns APP_SECRET, or in demo mode a secret that is created once and stored in the data directory. */
export const getAppSecret = lazyValue(() => env().APP_SECRET ?? ensureDemoSecret(env().DATA_DIR));

/** Returns the secrets of APP_SECRET_OLD. Data written under them stays readable. */
export function getFormerSecrets(): string[] {
  return env().APP_SECRET_OLD.filter((former) => former !== getAppSecret());
}

function ensureDemoSecret(dataDir: string): string {
  const file = join(dataDir, "app.secret");
  mkdirSync(dataDir, { recursive: true });
  try {
    // "wx" fails if the file exists: of two processes that start together, one writes and both read.
    writeFileSync(file, randomBytes(48).toString("base64"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}

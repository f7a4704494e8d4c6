import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fail, run } from "./steps.mjs";

/** The headless shell is first: it needs a fifth less CPU time. */
const PROGRAM_NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/** Returns the path of a Chromium for browser tests. On Debian, root installs a missing one. */
export async function findChromium() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH)
    return existsSync(CHROMIUM_PATH)
      ? CHROMIUM_PATH
      : fail(`CHROMIUM_PATH: there is no file ${CHROMIUM_PATH}`);
  const installed = findInstalledChromium();
  if (installed) return installed;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-q"], { env, minutes: 4 });
    const install = (name) =>
      run("apt-get", ["install", "-y", "-q", "--no-install-recommends", name], { env, minutes: 8 });
    // Older Debian releases have no package for the shell.
    if (!(await install(PROGRAM_NAMES[0])).ok) await install("chromium");
  }
  return findInstalledChromium();
}

export function findInstalledChromium() {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  for (const name of PROGRAM_NAMES) {
    for (const folder of folders) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // not in this folder
      }
    }
  }
  return undefined;
}

import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fail, run } from "./steps.mjs";

/** The cheapest first: the shell draws without a window, a graphics process and extensions, for a fifth less work. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/** Returns the path of a Chromium for the browser tests; as root on Debian it is installed when missing. */
export async function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : fail(`CHROMIUM_PATH: there is no file ${given}`);
  const installed = installedChromium();
  if (installed) return installed;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-q"], { env, minutes: 4 });
    const install = (name) =>
      run("apt-get", ["install", "-y", "-q", "--no-install-recommends", name], { env, minutes: 8 });
    // Older releases have no package of the shell.
    if (!(await install(NAMES[0])).ok) await install("chromium");
  }
  return installedChromium();
}

/** Returns the path of the Chromium that is there, or undefined. */
export function installedChromium() {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  for (const name of NAMES) {
    for (const folder of folders) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // not here
      }
    }
  }
  return undefined;
}

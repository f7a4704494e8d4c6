import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "./steps.mjs";

/** Names of files and folders that git does not track: `.git`, and the last part of each path in .gitignore. */
export const UNTRACKED = new Set([
  ".git",
  ...readFileSync(join(root, ".gitignore"), "utf8")
    .split("\n")
    .map((line) => posix.basename(line)),
]);

/**
 * Lists the files below a folder, as sorted paths from the root with forward slashes. Skips files and folders with a
 * name in `skipped`. Works without git, in an unpacked archive.
 *
 * @returns {string[]}
 */
export function filesBelow(folder = ".", skipped = UNTRACKED) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path, skipped);
      return entry.isFile() ? [path] : [];
    });
}

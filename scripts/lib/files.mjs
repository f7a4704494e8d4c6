import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "./steps.mjs";

/** Names that git does not track: `.git` and the last part of each path in .gitignore. */
export const UNTRACKED_NAMES = new Set([
  ".git",
  ...readFileSync(join(root, ".gitignore"), "utf8")
    .split("\n")
    .map((line) => posix.basename(line)),
]);

/**
 * Lists the files below a folder as sorted paths from the root, except `skippedNames`. Works without git.
 * @returns {string[]}
 */
export function listFiles(folder = ".", skippedNames = UNTRACKED_NAMES) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !skippedNames.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(path, skippedNames);
      return entry.isFile() ? [path] : [];
    });
}

import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { filesBelow } from "./files.mjs";

export interface Source {
  file: string;
  text: string;
  imports: string[];
  dynamicImports: string[];
}

export const files = filesBelow().filter((file) => /\.(tsx?|mjs)$/.test(file));
/** Source files of the product and the commands, by path without extension. Packages are `npm:<name>`. */
export const sources = new Map(
  files
    .filter((file) => !/\.test\.tsx?$|^(server\/testing|e2e|bench|prisma|scripts\/.*ts$)/.test(file))
    .map((file) => [withoutExtension(file), read(file)]),
);

function withoutExtension(file: string): string {
  return file.replace(/\.(tsx?|mjs)$/, "");
}

function read(file: string): Source {
  const text = readFileSync(file, "utf8");
  const targetsOf = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, target]) => resolve(file, target!));
  return {
    file,
    text,
    imports: targetsOf(/^(?:import|export)\s+(?!type\b)(?:[^;]*?from\s+)?"([^"]+)"/gms),
    dynamicImports: targetsOf(/\bimport\("([^"]+)"\)/g),
  };
}

function resolve(from: string, target: string): string {
  if (target.startsWith("@/")) return target.slice(2);
  if (target.startsWith(".")) return withoutExtension(posix.join(posix.dirname(from), target));
  return target.startsWith("node:") ? target : `npm:${target}`;
}

/** Returns a chain of imports from a path to a goal, by depth-first search. */
export function importChain(
  from: string,
  isGoal: (path: string) => boolean,
  importsOf: (path: string) => Iterable<string>,
  seen = new Set<string>(),
): string[] | undefined {
  for (const target of importsOf(from)) {
    if (isGoal(target)) return [from, target];
    if (seen.has(target)) continue;
    const rest = importChain(target, isGoal, importsOf, seen.add(target));
    if (rest) return [from, ...rest];
  }
  return undefined;
}

export const staticImports = (path: string) => sources.get(path)?.imports ?? [];
export const allImports = (path: string) => [
  ...staticImports(path),
  ...(sources.get(path)?.dynamicImports ?? []),
];

import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { filesBelow } from "./files.mjs";

export interface Source {
  file: string;
  text: string;
  imports: string[];
  /** Dynamic imports. */
  later: string[];
}

export const files = filesBelow().filter((file) => /\.(tsx?|mjs)$/.test(file));
/** The product and the commands, by path without its ending. Packages are `npm:<name>`. */
export const sources = new Map(
  files
    .filter((file) => !/\.test\.tsx?$|^(server\/testing|e2e|bench|prisma|scripts\/.*ts$)/.test(file))
    .map((file) => [withoutEnding(file), read(file)]),
);

function withoutEnding(file: string): string {
  return file.replace(/\.(tsx?|mjs)$/, "");
}

function read(file: string): Source {
  const text = readFileSync(file, "utf8");
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, target]) => resolve(file, target!));
  return {
    file,
    text,
    imports: found(/^(?:import|export)\s+(?!type\b)(?:[^;]*?from\s+)?"([^"]+)"/gms),
    later: found(/\bimport\("([^"]+)"\)/g),
  };
}

function resolve(from: string, target: string): string {
  if (target.startsWith("@/")) return target.slice(2);
  if (target.startsWith(".")) return withoutEnding(posix.join(posix.dirname(from), target));
  return target.startsWith("node:") ? target : `npm:${target}`;
}

/** Returns the shortest chain of imports found first from a path to a goal. */
export function wayTo(
  from: string,
  isGoal: (path: string) => boolean,
  next: (path: string) => Iterable<string>,
  seen = new Set<string>(),
): string[] | undefined {
  for (const target of next(from)) {
    if (isGoal(target)) return [from, target];
    if (seen.has(target)) continue;
    const rest = wayTo(target, isGoal, next, seen.add(target));
    if (rest) return [from, ...rest];
  }
  return undefined;
}

export const first = (path: string) => sources.get(path)?.imports ?? [];
export const ever = (path: string) => [...first(path), ...(sources.get(path)?.later ?? [])];

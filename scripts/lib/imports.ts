import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { listFiles } from "./files.mjs";

export interface SourceFile {
  file: string;
  text: string;
  imports: string[];
  dynamicImports: string[];
}

export const codeFiles = listFiles().filter((file) => /\.(tsx?|mjs)$/.test(file));
/** Source files of product and commands, by path without extension. Imported packages are `npm:<name>`. */
export const productSources = new Map(
  codeFiles
    .filter((file) => !/\.test\.tsx?$|^(server\/testing|e2e|bench|prisma|scripts\/.*ts$)/.test(file))
    .map((file) => [withoutExtension(file), readSource(file)]),
);

function withoutExtension(file: string): string {
  return file.replace(/\.(tsx?|mjs)$/, "");
}

function readSource(file: string): SourceFile {
  const text = readFileSync(file, "utf8");
  const findTargets = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, target]) => resolveImport(file, target!));
  return {
    file,
    text,
    imports: findTargets(/^(?:import|export)\s+(?!type\b)(?:[^;]*?from\s+)?"([^"]+)"/gms),
    dynamicImports: findTargets(/\bimport\("([^"]+)"\)/g),
  };
}

function resolveImport(importer: string, target: string): string {
  if (target.startsWith("@/")) return target.slice(2);
  if (target.startsWith(".")) return withoutExtension(posix.join(posix.dirname(importer), target));
  return target.startsWith("node:") ? target : `npm:${target}`;
}

export function findImportChain(
  importer: string,
  isGoal: (path: string) => boolean,
  getImports: (path: string) => Iterable<string>,
  visited = new Set<string>(),
): string[] | undefined {
  for (const target of getImports(importer)) {
    if (isGoal(target)) return [importer, target];
    if (visited.has(target)) continue;
    const chainTail = findImportChain(target, isGoal, getImports, visited.add(target));
    if (chainTail) return [importer, ...chainTail];
  }
  return undefined;
}

export const listStaticImports = (path: string) => productSources.get(path)?.imports ?? [];
export const listAllImports = (path: string) => [
  ...listStaticImports(path),
  ...(productSources.get(path)?.dynamicImports ?? []),
];

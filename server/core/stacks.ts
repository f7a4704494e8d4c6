import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Loaded source maps by file; undefined for files without one. */
const sourceMaps = new Map<string, SourceMap | undefined>();

const UNMAPPED_FILES = /^node:|[\\/]node_modules[\\/]/;

/** Maps stacks to sources lazily; `--enable-source-maps` costs almost a second and 50 MB per start. */
export function mapStacks(): void {
  Error.prepareStackTrace = (error, sites) =>
    [formatErrorHead(error), ...sites.map(formatCallSite)].join("\n    at ");
}

function formatErrorHead(error: Error): string {
  try {
    return String(error);
  } catch {
    return "Error";
  }
}

function formatCallSite(site: NodeJS.CallSite): string {
  const [name, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  const callSite = String(site);
  if (!name || !line || !column || UNMAPPED_FILES.test(name)) return callSite;
  const entry = loadSourceMap(name)?.findEntry(line - 1, column - 1);
  if (!entry || !("originalSource" in entry) || !entry.originalSource) return callSite;
  const { originalSource, originalLine, originalColumn } = entry;
  const source = resolveSource(originalSource, name);
  return callSite.replace(`${name}:${line}:${column}`, `${source}:${originalLine + 1}:${originalColumn + 1}`);
}

function loadSourceMap(name: string): SourceMap | undefined {
  if (sourceMaps.has(name)) return sourceMaps.get(name);
  // Prevents endless recursion if an error is thrown below.
  sourceMaps.set(name, undefined);
  try {
    const file = toFileUrl(name);
    const [, mapUrl] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(file, "utf8")) ?? [];
    if (mapUrl) sourceMaps.set(name, new SourceMap(JSON.parse(readFileSync(new URL(mapUrl, file), "utf8"))));
  } catch {
    // Without a map, the stack names the build's files.
  }
  return sourceMaps.get(name);
}

function resolveSource(source: string, name: string): string {
  const url = new URL(source, toFileUrl(name));
  return url.protocol === "file:" ? fileURLToPath(url) : url.href;
}

/** ES modules are named by URL, CommonJS modules by path. */
function toFileUrl(name: string): URL {
  return name.startsWith("file:") ? new URL(name) : pathToFileURL(name);
}

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
  const [fileName, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  const callSite = String(site);
  if (!fileName || !line || !column || UNMAPPED_FILES.test(fileName)) return callSite;
  const entry = loadSourceMap(fileName)?.findEntry(line - 1, column - 1);
  if (!entry || !("originalSource" in entry) || !entry.originalSource) return callSite;
  const { originalSource, originalLine, originalColumn } = entry;
  const source = resolveSource(originalSource, fileName);
  return callSite.replace(
    `${fileName}:${line}:${column}`,
    `${source}:${originalLine + 1}:${originalColumn + 1}`,
  );
}

function loadSourceMap(fileName: string): SourceMap | undefined {
  if (sourceMaps.has(fileName)) return sourceMaps.get(fileName);
  // Prevents endless recursion if an error is thrown below.
  sourceMaps.set(fileName, undefined);
  try {
    const file = toFileUrl(fileName);
    const [, mapUrl] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(file, "utf8")) ?? [];
    if (mapUrl)
      sourceMaps.set(fileName, new SourceMap(JSON.parse(readFileSync(new URL(mapUrl, file), "utf8"))));
  } catch {
    // Without a map, the stack names the build's files.
  }
  return sourceMaps.get(fileName);
}

function resolveSource(source: string, fileName: string): string {
  const url = new URL(source, toFileUrl(fileName));
  return url.protocol === "file:" ? fileURLToPath(url) : url.href;
}

/** ES modules are named by URL, CommonJS modules by path. */
function toFileUrl(fileName: string): URL {
  return fileName.startsWith("file:") ? new URL(fileName) : pathToFileURL(fileName);
}

import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Loaded source maps by file; undefined for files without one. */
const maps = new Map<string, SourceMap | undefined>();

const UNMAPPED = /^node:|[\\/]node_modules[\\/]/;

/** Maps stacks to sources lazily; `--enable-source-maps` costs almost a second and 50 MB per start. */
export function mapStacks(): void {
  Error.prepareStackTrace = (error, sites) => [headOf(error), ...sites.map(placeOf)].join("\n    at ");
}

function headOf(error: Error): string {
  try {
    return String(error);
  } catch {
    return "Error";
  }
}

function placeOf(site: NodeJS.CallSite): string {
  const [name, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  const place = String(site);
  if (!name || !line || !column || UNMAPPED.test(name)) return place;
  const entry = mapOf(name)?.findEntry(line - 1, column - 1);
  if (!entry || !("originalSource" in entry) || !entry.originalSource) return place;
  const { originalSource, originalLine, originalColumn } = entry;
  const source = resolved(originalSource, name);
  return place.replace(`${name}:${line}:${column}`, `${source}:${originalLine + 1}:${originalColumn + 1}`);
}

function mapOf(name: string): SourceMap | undefined {
  if (maps.has(name)) return maps.get(name);
  // Prevents endless recursion if an error is thrown below.
  maps.set(name, undefined);
  try {
    const file = urlOf(name);
    const [, address] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(file, "utf8")) ?? [];
    if (address) maps.set(name, new SourceMap(JSON.parse(readFileSync(new URL(address, file), "utf8"))));
  } catch {
    // Without a map, the stack names the build's files.
  }
  return maps.get(name);
}

function resolved(source: string, name: string): string {
  const url = new URL(source, urlOf(name));
  return url.protocol === "file:" ? fileURLToPath(url) : url.href;
}

/** ES modules are named by URL, CommonJS modules by path. */
function urlOf(name: string): URL {
  return name.startsWith("file:") ? new URL(name) : pathToFileURL(name);
}

import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Maps that a stack has needed, by the file they are for; undefined for files without one. */
const maps = new Map<string, SourceMap | undefined>();

/** What is not ours to read, on any system. */
const UNMAPPED = /^node:|[\\/]node_modules[\\/]/;

/**
 * From now on stacks name the sources and not the files of the build, whatever has set another form before. Node's
 * `--enable-source-maps` does so too, but reads the map of every file when it loads it: with those of the pages that is
 * almost a second of processor time at each start, and 50 MB. Here a map is read when a stack first needs it, and
 * never that of a package: Node's streams look at a stack of Next's at the first page, which took a tenth of a second.
 */
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

/** The map that the last line of a file names. */
function mapOf(name: string): SourceMap | undefined {
  if (maps.has(name)) return maps.get(name);
  // An error in here must not look for maps itself, forever.
  maps.set(name, undefined);
  try {
    const file = urlOf(name);
    const [, address] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(file, "utf8")) ?? [];
    if (address) maps.set(name, new SourceMap(JSON.parse(readFileSync(new URL(address, file), "utf8"))));
  } catch {
    // A stack that names the build is better than none.
  }
  return maps.get(name);
}

function resolved(source: string, name: string): string {
  const url = new URL(source, urlOf(name));
  return url.protocol === "file:" ? fileURLToPath(url) : url.href;
}

/** Modules have an address, what is required has a path. */
function urlOf(name: string): URL {
  return name.startsWith("file:") ? new URL(name) : pathToFileURL(name);
}

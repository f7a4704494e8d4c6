import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mapStacks } from "./stacks";

let folder: string;
let originalPrepareStackTrace: typeof Error.prepareStackTrace;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tellal-stacks-"));
  originalPrepareStackTrace = Error.prepareStackTrace;
});

afterEach(() => {
  Error.prepareStackTrace = originalPrepareStackTrace;
  rmSync(folder, { recursive: true, force: true });
});

function build(lines: string[], format: "esm" | "cjs", name: string): { source: string; file: string } {
  const source = join(folder, "the source.ts");
  const file = join(folder, name);
  writeFileSync(source, lines.join("\n"));
  buildSync({
    entryPoints: [source],
    outfile: file,
    format,
    bundle: true,
    minify: true,
    sourcemap: true,
    platform: "node",
  });
  return { source, file };
}

/** Uses `require`, so that Node.js loads the file: the test runner maps stacks itself. */
function readStackLines(file: string): string[] {
  const { refuse } = createRequire(import.meta.url)(file) as { refuse(): void };
  mapStacks();
  try {
    refuse();
  } catch (error) {
    return (error as Error).stack!.split("\n");
  }
  throw new Error("nothing was thrown");
}

const THROWING_SOURCE = ["", "export function refuse() {", "  throw new Error('no');", "}"];

test("maps a stack to the source and keeps Node's format", () => {
  const { source, file } = build(THROWING_SOURCE, "cjs", "[page] 1.cjs");
  const [head, place, caller] = readStackLines(file);
  expect(head).toBe("Error: no");
  expect(place).toMatch(/^ {4}at \S+ \(/);
  expect(place).toContain(`(${source}:3:9)`);
  expect(caller).toContain("stacks.test.ts");
});

test("maps the stack of an ES module", () => {
  const { source, file } = build(
    [
      `import { mapStacks } from ${JSON.stringify(join(import.meta.dirname, "stacks.ts"))};`,
      "mapStacks();",
      "async function refuse() { await null; return new Error('no'); }",
      "refuse().then((error) => console.log(error.stack));",
    ],
    "esm",
    "program.mjs",
  );
  const printed = execFileSync(process.execPath, [file], { encoding: "utf8" });
  expect(printed).toMatch(/^Error: no\n {4}at \S+ \(/);
  expect(printed).toContain(`${source}:3:`);
});

test("supports source maps with sections, as Next.js writes them", () => {
  const { source, file } = build(THROWING_SOURCE, "cjs", "page.cjs");
  const map = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  writeFileSync(
    `${file}.map`,
    JSON.stringify({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map }] }),
  );
  expect(readStackLines(file)[1]).toContain(`(${source}:3:9)`);
});

test("does not map files of packages", () => {
  mkdirSync(join(folder, "node_modules"));
  const { file } = build(THROWING_SOURCE, "cjs", "node_modules/package.cjs");
  expect(readStackLines(file)[1]).toContain(`(${file}:`);
});

test.each([
  ["without a map", (map: string) => rmSync(map)],
  ["with a broken map", (map: string) => writeFileSync(map, "{")],
])("keeps the built file in the stack %s", (_name, breakMap) => {
  const { file } = build(THROWING_SOURCE, "cjs", "page.cjs");
  breakMap(`${file}.map`);
  expect(readStackLines(file)[1]).toMatch(new RegExp(`^ {4}at \\S+ \\(${file}:\\d+:\\d+\\)$`));
});

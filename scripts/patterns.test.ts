import { readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { check } from "recheck";
import { expect, it } from "vitest";
import { isFullSuite } from "@/server/testing/suite";
import { listFiles } from "./lib/files.mjs";

interface Pattern {
  path: string;
  source: string;
  flags: string;
}

function parsePatterns(path: string): Pattern[] {
  const patterns: Pattern[] = [];
  const { program } = parseSync(path, readFileSync(path, "utf8"));
  new Visitor({
    Literal(node) {
      if ("regex" in node) patterns.push({ path, source: node.regex.pattern, flags: node.regex.flags });
    },
  }).visit(program);
  return patterns;
}

const productFiles = listFiles().filter(
  (path) =>
    /^(app|client|components|server)\/|^proxy\.ts$/.test(path) &&
    /\.tsx?$/.test(path) &&
    !/\.test\.tsx?$|^server\/testing\/|\/generated\//.test(path),
);

it.runIf(isFullSuite)(
  "no regular expression takes more than linear time",
  async () => {
    const patterns = productFiles.flatMap(parsePatterns);
    expect(patterns.length).toBeGreaterThan(300);
    const slowPatterns: string[] = [];
    for (const { path, source, flags } of patterns) {
      const result = await check(source, flags, { timeout: 60_000, randomSeed: 1 });
      const complexity = result.status === "vulnerable" ? result.complexity.summary : result.status;
      if (complexity !== "safe") slowPatterns.push(`${path}: /${source}/${flags} is ${complexity}`);
    }
    expect(slowPatterns).toEqual([]);
  },
  600_000,
);

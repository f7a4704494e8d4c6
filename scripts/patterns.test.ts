import { readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { check } from "recheck";
import { expect, it } from "vitest";
import { isFullSuite } from "@/server/testing/suite";
import { filesBelow } from "./lib/files.mjs";

interface Pattern {
  path: string;
  source: string;
  flags: string;
}

/** Regular expressions of the product, without tests and what builds it. */
function patternsOf(path: string): Pattern[] {
  const patterns: Pattern[] = [];
  const { program } = parseSync(path, readFileSync(path, "utf8"));
  new Visitor({
    Literal(node) {
      if ("regex" in node) patterns.push({ path, source: node.regex.pattern, flags: node.regex.flags });
    },
  }).visit(program);
  return patterns;
}

const product = filesBelow().filter(
  (path) =>
    /^(app|client|components|server)\/|^proxy\.ts$/.test(path) &&
    /\.tsx?$/.test(path) &&
    !/\.test\.tsx?$|^server\/testing\/|\/generated\//.test(path),
);

it.runIf(isFullSuite)(
  "no regular expression takes more than linear time",
  async () => {
    const patterns = product.flatMap(patternsOf);
    expect(patterns.length).toBeGreaterThan(300);
    const slow: string[] = [];
    for (const { path, source, flags } of patterns) {
      const result = await check(source, flags, { timeout: 60_000, randomSeed: 1 });
      const speed = result.status === "vulnerable" ? result.complexity.summary : result.status;
      if (speed !== "safe") slow.push(`${path}: /${source}/${flags} is ${speed}`);
    }
    expect(slow).toEqual([]);
  },
  600_000,
);

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hintCompilation } from "./compile-hints.mjs";

test("scripts begin with the hint, once", () => {
  const folder = mkdtempSync(join(tmpdir(), "tellal-hints-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "a.js"), "one()");
  writeFileSync(join(folder, "a.css"), "p{}");
  hintCompilation(folder);
  writeFileSync(join(folder, "b.js"), "two()");
  hintCompilation(folder);
  const readText = (name: string) => readFileSync(join(folder, name), "utf8");
  expect([readText("a.js"), readText("b.js"), readText("a.css")]).toEqual([
    "//# allFunctionsCalledOnLoad\none()",
    "//# allFunctionsCalledOnLoad\ntwo()",
    "p{}",
  ]);
});

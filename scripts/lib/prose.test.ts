import { expect, it } from "vitest";
import { extractProse, findUnclearPhrase } from "./prose";

const bannedWord = ["sel", "dom"].join("");
const testWithTitle = (title: string) => `it("${title}", () => {});`;
const findPhrases = (path: string, source: string) =>
  extractProse(path, source).map(findUnclearPhrase).filter(Boolean);

it.each([
  ["a comment", "a.ts", "// Locks whoever pays.\nconst a = 1;"],
  ["a docstring", "a.ts", "/**\n * Deletes the row.\n * Nobody reads it.\n */\nconst a = 1;"],
  ["a comment behind code", "a.tsx", `const a = 1; // ${bannedWord} used`],
  ["a docstring that is a noun clause", "a.ts", "/** What a retry costs. */\nconst a = 1;"],
  ["a test title", "a.test.ts", testWithTitle("seldom fails")],
  ["an API text", "server/domains/a/b/contract.ts", 'const a = f.text("Name of whom it belongs to.");'],
  ["a document", "README.md", "It tells of errors."],
  ["a comment of the database schema", "prisma/schema/a.prisma", "/// Times of the next try, anew."],
])("finds an unclear phrase in %s", (_, path, source) => {
  expect(findPhrases(path, source)).toHaveLength(1);
});

it.each([
  ["code", "a.ts", 'const nobody = "somebody";'],
  ["inline code of a document", "README.md", "`whoever` is a variable."],
  ["a code block of a document", "README.md", "```sh\n# for whoever\n```"],
  ["plain prose", "a.ts", "// Locks the account first: a reversal may run at the same time.\nconst a = 1;"],
  ["a question", "a.ts", "// Who calls this?\nconst a = 1;"],
])("allows %s", (_, path, source) => {
  expect(findPhrases(path, source)).toEqual([]);
});

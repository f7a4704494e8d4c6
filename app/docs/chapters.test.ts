import { createTranslator } from "next-intl";
import { afterAll, expect, it, vi } from "vitest";
import { createFormatter } from "@/components/ui/format";
import messages from "@/messages/generated/ru.json";
import { splitIntoPages } from "./chapters";
import { type ReaderTexts, renderOperation } from "./parts";
import { getReference } from "./reference";

// Measured in Russian, whose texts have the most bytes.
const createTestTranslator = (namespace: string) =>
  createTranslator({ locale: "ru", messages, namespace } as never) as unknown as ReaderTexts["t"];
// A module already loaded by another test file would bypass the mock below.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());
vi.mock("next-intl/server", () => ({
  getLocale: async () => "ru",
  getTranslations: async (namespace: string) => createTestTranslator(namespace),
}));

/** Limit for the operations of a page. With frame and contents, a page stays below 300,000 bytes. */
const MAX_BYTES = 165_000;

/** A page contains the markup twice: as HTML, and JSON-encoded in the React payload. */
function measureBytes(markup: string): number {
  const payload = JSON.stringify(JSON.stringify(markup)).replaceAll("<", "\\u003c");
  return Buffer.byteLength(markup) + Buffer.byteLength(payload);
}

it("puts every operation on exactly one page and keeps pages below the size limit", async () => {
  const { operations } = await getReference();
  const pages = splitIntoPages(operations);
  const reader: ReaderTexts = {
    t: createTestTranslator("docs"),
    format: createFormatter({ locale: "ru", timeZone: "UTC" }),
    copyLabel: "Скопировать",
  };
  const sizes = pages.map(({ slug, operations: pageOperations }) => {
    return {
      slug,
      bytes: measureBytes(pageOperations.map((each) => renderOperation(reader, each).markup).join("")),
    };
  });
  expect(sizes.filter(({ bytes }) => bytes > MAX_BYTES)).toEqual([]);
  const shownIds = pages.flatMap((page) => page.operations.map(({ id }) => id));
  expect(shownIds.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
  expect(pages.filter((each) => each.operations.length === 0)).toEqual([]);
});

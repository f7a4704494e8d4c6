import { createTranslator } from "next-intl";
import { afterAll, expect, it, vi } from "vitest";
import { formatter } from "@/components/ui/format";
import messages from "@/messages/generated/ru.json";
import { pagesOf } from "./chapters";
import { operation, type Reader } from "./parts";
import { reference } from "./reference";

// Russian texts have the most bytes.
const translated = (namespace: string) =>
  createTranslator({ locale: "ru", messages, namespace } as never) as unknown as Reader["t"];
// A module already loaded by another test file would bypass the mock below.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());
vi.mock("next-intl/server", () => ({
  getLocale: async () => "ru",
  getTranslations: async (namespace: string) => translated(namespace),
}));

/** Budget for the operations of a page; with frame and contents a page stays below 300,000 bytes. */
const MAX = 165_000;

/** A page contains the markup twice: as HTML, and JSON-encoded in the React payload. */
function bytesOf(markup: string): number {
  const sent = JSON.stringify(JSON.stringify(markup)).replaceAll("<", "\\u003c");
  return Buffer.byteLength(markup) + Buffer.byteLength(sent);
}

it("puts every operation on exactly one page and keeps pages below the size limit", async () => {
  const { operations } = await reference();
  const pages = pagesOf(operations);
  const reader: Reader = {
    t: translated("docs"),
    format: formatter({ locale: "ru", timeZone: "UTC" }),
    copy: "Скопировать",
  };
  const sizes = pages.map(({ slug, operations: own }) => {
    return { slug, bytes: bytesOf(own.map((each) => operation(reader, each).markup).join("")) };
  });
  expect(sizes.filter(({ bytes }) => bytes > MAX)).toEqual([]);
  const shown = pages.flatMap((page) => page.operations.map(({ id }) => id));
  expect(shown.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
  expect(pages.filter((each) => each.operations.length === 0)).toEqual([]);
});

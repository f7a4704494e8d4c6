import { expect, it } from "vitest";
import { LOCALES } from "@/server/core/locale";
import { formatText } from "@/server/core/texts";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { parseLegalBlocks } from "./legal-blocks";

it("splits a text into headings, paragraphs and lists", () => {
  const body =
    "Before.\n\n1. Subject\nWhat this is\nabout.\n\n2) Prices\n- A\n- B\n\n3. A sentence with a number.\n\n4. Alone";
  expect(parseLegalBlocks(body)).toEqual([
    { kind: "paragraph", text: "Before." },
    { kind: "heading", text: "1. Subject" },
    { kind: "paragraph", text: "What this is\nabout." },
    { kind: "heading", text: "2) Prices" },
    { kind: "list", items: ["A", "B"] },
    { kind: "paragraph", text: "3. A sentence with a number." },
    { kind: "heading", text: "4. Alone" },
  ]);
});

it.each(LOCALES)(
  "splits the built-in consent texts into alternating headings and paragraphs, in %s",
  (locale) => {
    for (const key of CONSENTS) {
      const blocks = parseLegalBlocks(formatText(locale, `consents.${key}.text`));
      const kinds = blocks.map(({ kind }) => kind);
      expect(kinds, key).toEqual(kinds.map((_, index) => (index % 2 === 0 ? "heading" : "paragraph")));
      expect(kinds.length).toBeGreaterThan(3);
    }
  },
);

import { expect, it } from "vitest";
import { LOCALES } from "@/server/core/locale";
import { createTermCheck, type Termbase } from "./terms";

const emptyTerm = Object.fromEntries(LOCALES.map((locale) => [locale, { use: "–" }]));
const termbase = {
  slot: { ...emptyTerm, note: "Room for one site.", en: { use: "site slot", avoid: ["seat*", "place for"] } },
  address: { ...emptyTerm, note: "", en: { use: "you" }, tr: { use: "siz", avoid: ["/sen(?!et)/"] } },
} as unknown as Termbase;
const findInEnglish = createTermCheck(termbase, "en");

it("finds avoided words in every part of a message, with the word to use", () => {
  const message =
    "{count, plural, one {# <b>seat</b>} other {# Seats}} and a place  for {state, select, other {seat}}";
  expect(findInEnglish(message).map(({ word }) => word)).toEqual(["seat", "Seats", "place  for", "seat"]);
  expect(findInEnglish("a seat")).toEqual([{ word: "seat", use: "site slot" }]);
  expect(createTermCheck(termbase, "tr")("sen, senet")).toEqual([{ word: "sen", use: "siz" }]);
});

it.each([
  ["a longer word", "unseated"],
  ["the name of an argument", "{seat} and {seat, number}"],
  ["the name of an option", "{kind, select, seat {slot} other {slots}}"],
  ["the name of a tag", "<seat>slot</seat>"],
  ["a path", "GET /api/seats"],
  ["a word that another language avoids", "sen"],
])("allows %s", (_, message) => {
  expect(findInEnglish(message)).toEqual([]);
});

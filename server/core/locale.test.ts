import { expect, it } from "vitest";
import { matchLocale } from "./locale";

it.each([
  ["tr_TR", "tr"],
  ["tr_TR.UTF-8", "tr"],
  ["de_AT, en;q=0.5", "de"],
  [" FR-ca;q=0.9", "fr"],
  ["es, ar-EG;q=0.2", "ar"],
  ["ru;q=0, it", "it"],
  ["de-DE;Q=0.1,ru;q=0.5", "ru"],
  ["de@euro", "de"],
  ["*", "en"],
  ["", "en"],
  [null, "en"],
])("matches the Accept-Language %j to %s", (header, locale) => {
  expect(matchLocale(header)).toBe(locale);
});

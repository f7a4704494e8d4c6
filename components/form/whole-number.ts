import { normaliseNumber } from "@/server/core/normalise";

/** Matches printed prices and counts: `₺3.999,00`, `3 999`, `1,000`, `-5`. */
const PRINTED_NUMBER = /^\D*?(-?(?:\d{1,3}(?:[.,'’\s]\d{3})+|\d+))(?:[.,]0{1,2})?\D*$/;

/** Longer numbers lose precision. */
const MAX_DIGITS = 15;

/** Parses a whole number; empty is null. Returns other text normalised, for the form's rules to reject. */
export function parseWholeNumber(text: string): number | string | null {
  const trimmed = normaliseNumber(text).trim();
  if (trimmed === "") return null;
  const integerText = PRINTED_NUMBER.exec(trimmed)?.[1]?.replace(/[^\d-]/g, "");
  const digitCount = integerText?.replace("-", "").length ?? 0;
  return integerText === undefined || digitCount > MAX_DIGITS ? trimmed : Number(integerText);
}

import { plainNumber } from "@/server/core/normalise";

/** Printed prices and counts: `₺3.999,00`, `3 999`, `1,000`, `-5`. */
const PRINTED = /^\D*?(-?(?:\d{1,3}(?:[.,'’\s]\d{3})+|\d+))(?:[.,]0{1,2})?\D*$/;

/** Longer numbers lose precision. */
const DIGITS_MAX = 15;

/** Parses a whole number; empty is null. Returns other text unchanged for the form's rules to reject. */
export function wholeNumber(text: string): number | string | null {
  const typed = plainNumber(text).trim();
  if (typed === "") return null;
  const digits = PRINTED.exec(typed)?.[1]?.replace(/[^\d-]/g, "");
  return digits === undefined || digits.length > DIGITS_MAX ? typed : Number(digits);
}

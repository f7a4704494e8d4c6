import { numberFormat } from "./format";

/*
 * All arithmetic on money: whole minor units (kuruş), so that nothing is ever a fraction of one. Amounts of the API are
 * numbers with at most two decimals, read and written by their digits.
 */

/** The largest amount that is stored: PostgreSQL's `integer`. */
export const MAX_MINOR = 2_147_483_647;

const AMOUNT = /^(0|[1-9]\d{0,8})(?:\.(\d{1,2}))?$/;

/** Reads an amount such as 2999.5 or "2999.50"; undefined for what is none, has more decimals, or is too large. */
export function parseAmount(value: number | string): number | undefined {
  const [, whole, decimals = ""] = AMOUNT.exec(String(value)) ?? [];
  if (whole === undefined) return undefined;
  const minor = Number(whole + decimals.padEnd(2, "0"));
  return minor <= MAX_MINOR ? minor : undefined;
}

/** An amount with its two decimals: `2999.50`. */
function digitsOf(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, "0");
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** An amount as the API has it. */
export function amountOf(minor: number): number {
  return Number(digitsOf(minor));
}

/** An amount as people read it: `₺2.999,50`. */
export function formatMoney(
  minor: number,
  { currency, locale }: { currency: string; locale: string },
): string {
  return numberFormat(locale, { style: "currency", currency }).format(
    digitsOf(minor) as Intl.StringNumericLiteral,
  );
}

/** A price in whole units, as plans and licences have it. */
export function ofWhole(units: number): number {
  return units * 100;
}

/** The share of a price for some months out of those that it is for, rounded half up. */
export function priceOf(months: number, { minor, per }: { minor: number; per: number }): number {
  return rounded(minor * months, per);
}

/** Takes the VAT out of an amount that includes it: net and VAT always add up to it. */
export function splitVat(gross: number, rate: number): { net: number; vat: number } {
  const net = rounded(gross * 100, 100 + rate);
  return { net, vat: gross - net };
}

/** A quotient of whole numbers, half up. */
function rounded(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}

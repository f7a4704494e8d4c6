import { getNumberFormat } from "./format";
import type { Locale } from "./locale";

/* Money as integer kuruş. API amounts are converted through their decimal digits to avoid float errors. */

/** Largest stored amount: PostgreSQL's `integer`. */
export const MAX_AMOUNT_MINOR = 2_147_483_647;

const AMOUNT_PATTERN = /^(0|[1-9]\d{0,8})(?:\.(\d{1,2}))?$/;

/** Parses 2999.5 or "2999.50" into minor units. Undefined if invalid, too precise or too large. */
export function parseAmount(value: number | string): number | undefined {
  const [, units, decimals = ""] = AMOUNT_PATTERN.exec(String(value)) ?? [];
  if (units === undefined) return undefined;
  const minor = Number(units + decimals.padEnd(2, "0"));
  return minor <= MAX_AMOUNT_MINOR ? minor : undefined;
}

function formatDecimal(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, "0");
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Converts minor units to the amount in the API: 299950 becomes 2999.5. */
export function toAmount(minor: number): number {
  return Number(formatDecimal(minor));
}

/** Formats an amount for display: `₺2.999,50`. */
export function formatMoney(
  minor: number,
  { currency, locale }: { currency: string; locale: Locale },
): string {
  return getNumberFormat(locale, { style: "currency", currency }).format(
    formatDecimal(minor) as Intl.StringNumericLiteral,
  );
}

/** Converts whole units, as in plans and licences, to minor units. */
export function toMinor(units: number): number {
  return units * 100;
}

/** Prorates a price for `priceMonths` months to `months`, rounded half up. */
export function prorate(
  months: number,
  { priceMinor, priceMonths }: { priceMinor: number; priceMonths: number },
): number {
  return divideHalfUp(priceMinor * months, priceMonths);
}

/** Splits a gross amount into net and VAT, which always add up to it. */
export function splitVat(gross: number, rate: number): { net: number; vat: number } {
  const net = divideHalfUp(gross * 100, 100 + rate);
  return { net, vat: gross - net };
}

function divideHalfUp(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}

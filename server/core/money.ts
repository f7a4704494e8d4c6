import { numberFormat } from "./format";

/* Money as integer kuruş. API amounts are converted through their decimal digits to avoid float errors. */

/** Largest stored amount: PostgreSQL's `integer`. */
export const MAX_MINOR = 2_147_483_647;

const AMOUNT = /^(0|[1-9]\d{0,8})(?:\.(\d{1,2}))?$/;

/** Parses an amount such as 2999.5 or "2999.50". Undefined if invalid, too precise or too large. */
export function parseAmount(value: number | string): number | undefined {
  const [, whole, decimals = ""] = AMOUNT.exec(String(value)) ?? [];
  if (whole === undefined) return undefined;
  const minor = Number(whole + decimals.padEnd(2, "0"));
  return minor <= MAX_MINOR ? minor : undefined;
}

function digitsOf(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, "0");
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function amountOf(minor: number): number {
  return Number(digitsOf(minor));
}

/** Formats an amount for display: `₺2.999,50`. */
export function formatMoney(
  minor: number,
  { currency, locale }: { currency: string; locale: string },
): string {
  return numberFormat(locale, { style: "currency", currency }).format(
    digitsOf(minor) as Intl.StringNumericLiteral,
  );
}

/** Converts whole units, as in plans and licences, to minor units. */
export function toMinor(units: number): number {
  return units * 100;
}

/** Prorates a price for `per` months to `months`, rounded half up. */
export function prorate(months: number, { minor, per }: { minor: number; per: number }): number {
  return rounded(minor * months, per);
}

/** Splits a gross amount into net and VAT, which always add up to it. */
export function splitVat(gross: number, rate: number): { net: number; vat: number } {
  const net = rounded(gross * 100, 100 + rate);
  return { net, vat: gross - net };
}

function rounded(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}

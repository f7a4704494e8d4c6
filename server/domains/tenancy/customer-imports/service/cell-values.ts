import { trimInvisible } from "@/server/core/normalise";
import { getPhoneCountry, normalisePhone } from "@/server/core/phone";
import { email, phone } from "@/server/core/schema";

const MAX_CELL_LENGTH = 500;

/** The apostrophe that marks a cell as text, in our exports and in spreadsheets. */
const TEXT_APOSTROPHE = /^'(?=\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20\p{Nd}\p{Lu}])/u;

const QUOTED_CELL_PATTERNS = [/^="([^"]*)"$/, /^'(.*)'$/, /^“([^“”]*)”$/, /^„([^„“”]*)[“”]$/, /^«([^«»]*)»$/];

/** Removes what export programs add to a cell, and joins its lines. */
export function cleanCell(rawCell: string): string {
  if (rawCell === "") return "";
  let text = trimInvisible(rawCell);
  // The cut can split a surrogate pair, which PostgreSQL rejects.
  text = text.slice(0, MAX_CELL_LENGTH).toWellFormed();
  text = text.replace(/[\t\n\v\f\r\u2028\u2029]+/g, " ").replace(/\p{Cc}/gu, "");
  // MySQL escapes quotation marks with a backslash and writes `\N` for null.
  text = text === "\\N" ? "" : text.replace(/\\(["'])/g, "$1");
  for (const pattern of QUOTED_CELL_PATTERNS) {
    const value = pattern.exec(text)?.[1];
    if (value !== undefined) return trimInvisible(value.replace(TEXT_APOSTROPHE, ""));
  }
  return text.replace(TEXT_APOSTROPHE, "");
}

export function isAddress(cell: string): boolean {
  return cell.includes("@") && email.safeParse(cell).success;
}

const splitValues = (cell: string) => cell.split(/:::|[;,]/).map(trimInvisible);

/** Returns the first e-mail address, as in `Ayşe Kaya <ayse@example.com>`, or the cell if it has none. */
export function findAddress(cell: string): string {
  return [cell, ...splitAddresses(cell)].map(extractAddress).find(isAddress) ?? cell;
}

/** True if a cell contains only addresses and their owners' names. */
export function isAddressList(cell: string): boolean {
  if (!cell.includes("@")) return false;
  return (
    isAddress(extractAddress(cell)) || splitAddresses(cell).every((value) => isAddress(extractAddress(value)))
  );
}

/** True if a cell contains an address or an incomplete one, such as `ali@gmail`. */
export function hasAddress(cell: string): boolean {
  return cell.includes("@") && (/^[^\s@()]+@[^\s@()]+$/.test(cell) || isAddress(findAddress(cell)));
}

function splitAddresses(cell: string): string[] {
  const words = cell.split(" ");
  return words.every(isAddress) ? words : splitValues(cell).filter(Boolean);
}

const extractAddress = (value: string) =>
  trimInvisible((/<([^<>]*)>$/.exec(value)?.[1] ?? value).replace(/^mailto:/i, "").replace(/^'/, ""));

const NUMBER_SEPARATOR = /:::|[;,/|&]|\s-\s|\s(?:ve|veya|and|or|und|oder|et|ou|e|o|и|или|و|أو)\s/i;
const MAX_DIGITS = 15;
const MIN_LOCAL_DIGITS = 7;
const MAX_DIGIT_GROUPS = 20;

/** Returns the first phone number of a cell, or the cell if it has no number. */
export function findPhone(cell: string): string {
  const number = cleanNumber(cell);
  if (isOneNumber(number) && phone.safeParse(number).success) return number;
  const numbers = cell.split(NUMBER_SEPARATOR).map(trimInvisible).map(cleanNumber);
  return numbers.find(isPhone) ?? findFirstOfTwoNumbers(cell) ?? cell;
}

/** False for two phone numbers in a cell, which the invitation's schema would accept as one. */
export function isOneNumber(text: string): boolean {
  if (keepDigits(text).replace(/^00/, "").length > MAX_DIGITS) return false;
  return (
    isPhone(text) ||
    text.split(NUMBER_SEPARATOR).filter((part) => keepDigits(part).length >= MIN_LOCAL_DIGITS).length < 2
  );
}

/** Splits two numbers joined by a space, if exactly one split gives two valid ones. */
function findFirstOfTwoNumbers(cell: string): string | undefined {
  const groups = cell.split(" ");
  if (groups.length > MAX_DIGIT_GROUPS || keepDigits(cell).length < 2 * MIN_LOCAL_DIGITS) return undefined;
  const splits = groups.map(
    (_, index) => [groups.slice(0, index).join(" "), groups.slice(index).join(" ")] as const,
  );
  const [pair, ...otherPairs] = splits.filter((pair) => pair.every(isPhone));
  return otherPairs.length === 0 ? pair?.[0] : undefined;
}

const keepDigits = (text: string) => text.replace(/\P{Nd}/gu, "");

export function isPhone(cell: string): boolean {
  const { data } = phone.safeParse(cell);
  return data !== undefined && getPhoneCountry(normalisePhone(data)) !== "";
}

/** A possible area code and its slash. In `345 67 89/90` the slash precedes an extension. */
const AREA_CODE = /^(\+?[\d ()-]{2,12})\/ ?(?=(?:[^\d/]*\d){5}[^/]*$)/;
const isAreaCode = (text: string) =>
  text.replace(/^\+|^00|\D/g, "").length <= (/^[+(]?0|^\+/.test(text) ? 6 : 4);

/** Removes `tel:`, the slash after an area code, and decimals. Restores a dropped plus. */
function cleanNumber(cell: string): string {
  const strippedCell = cell
    .replace(/^tel:/i, "")
    .replace(AREA_CODE, (match, area: string) => (isAreaCode(area) ? `${area.trimEnd()} ` : match));
  const number = expandNumber(strippedCell);
  return /^[1-9]\d{9,14}$/.test(number) && !isPhone(number) && isPhone(`+${number}`) ? `+${number}` : number;
}

/** Reads numbers as spreadsheets write them, `9,05321234567E+11` and `5321234567.0`, if no digit is lost. */
function expandNumber(text: string): string {
  const [, firstDigit, decimals = "", exponent] = /^(\d)[.,](\d{1,20})E\+?(\d{1,2})$/i.exec(text) ?? [];
  if (firstDigit !== undefined) return decimals.length === Number(exponent) ? firstDigit + decimals : text;
  return text.replace(/^(\d{7,15})[.,]0{1,2}$/, "$1");
}

import { trimInvisible } from "@/server/core/normalise";
import { countryOf, normalisePhone } from "@/server/core/phone";
import { email, phone } from "@/server/core/schema";

const CELL = 500;

/** The apostrophe that marks a cell as text, in our exports and in spreadsheets. */
const APOSTROPHE = /^'(?=\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20\p{Nd}\p{Lu}])/u;

const WRAPPERS = [/^="([^"]*)"$/, /^'(.*)'$/, /^“([^“”]*)”$/, /^„([^„“”]*)[“”]$/, /^«([^«»]*)»$/];

/** Returns the value of a cell without export artefacts, on one line. */
export function cleanCell(raw: string): string {
  if (raw === "") return "";
  let text = trimInvisible(raw);
  // The cut can split a surrogate pair, which PostgreSQL rejects.
  text = text.slice(0, CELL).toWellFormed();
  text = text.replace(/[\t\n\v\f\r\u2028\u2029]+/g, " ").replace(/\p{Cc}/gu, "");
  // MySQL escapes quotation marks with a backslash and writes `\N` for null.
  text = text === "\\N" ? "" : text.replace(/\\(["'])/g, "$1");
  for (const wrapper of WRAPPERS) {
    const value = wrapper.exec(text)?.[1];
    if (value !== undefined) return trimInvisible(value.replace(APOSTROPHE, ""));
  }
  return text.replace(APOSTROPHE, "");
}

export function isAddress(cell: string): boolean {
  return cell.includes("@") && email.safeParse(cell).success;
}

const valuesOf = (cell: string) => cell.split(/:::|[;,]/).map(trimInvisible);

/** Returns the first address of a cell, also of `Ayşe Kaya <ayse@example.com>`; the cell if it has no address. */
export function addressOf(cell: string): string {
  return [cell, ...addressesOf(cell)].map(bareAddress).find(isAddress) ?? cell;
}

/** True if a cell contains only addresses and their owners' names. */
export function isAddressList(cell: string): boolean {
  if (!cell.includes("@")) return false;
  return isAddress(bareAddress(cell)) || addressesOf(cell).every((value) => isAddress(bareAddress(value)));
}

/** True if a cell contains an address or an incomplete one, such as `ali@gmail`. */
export function hasAddress(cell: string): boolean {
  return cell.includes("@") && (/^[^\s@()]+@[^\s@()]+$/.test(cell) || isAddress(addressOf(cell)));
}

function addressesOf(cell: string): string[] {
  const words = cell.split(" ");
  return words.every(isAddress) ? words : valuesOf(cell).filter(Boolean);
}

const bareAddress = (value: string) =>
  trimInvisible((/<([^<>]*)>$/.exec(value)?.[1] ?? value).replace(/^mailto:/i, "").replace(/^'/, ""));

/** Separators of two phone numbers: a character, or "and" and "or" in the product's languages. */
const NUMBER_SEPARATOR = /:::|[;,/|&]|\s-\s|\s(?:ve|veya|and|or|und|oder|et|ou|e|o|и|или|و|أو)\s/i;
const MAX_DIGITS = 15;
const MIN_LOCAL_DIGITS = 7;
const GROUPS = 20;

/** Returns the first phone number of a cell, or the cell if it has no number. */
export function phoneOf(cell: string): string {
  const number = numberOf(cell);
  if (isOneNumber(number) && phone.safeParse(number).success) return number;
  const numbers = cell.split(NUMBER_SEPARATOR).map(trimInvisible).map(numberOf);
  return numbers.find(isPhone) ?? firstOfTwo(cell) ?? cell;
}

/** True if a text is at most one phone number. The invitation's schema accepts any groups of digits. */
export function isOneNumber(text: string): boolean {
  if (digitsOf(text).replace(/^00/, "").length > MAX_DIGITS) return false;
  return (
    isPhone(text) ||
    text.split(NUMBER_SEPARATOR).filter((part) => digitsOf(part).length >= MIN_LOCAL_DIGITS).length < 2
  );
}

/** Splits two numbers joined by a space, if exactly one split gives two valid ones. */
function firstOfTwo(cell: string): string | undefined {
  const groups = cell.split(" ");
  if (groups.length > GROUPS || digitsOf(cell).length < 2 * MIN_LOCAL_DIGITS) return undefined;
  const places = groups.map(
    (_, place) => [groups.slice(0, place).join(" "), groups.slice(place).join(" ")] as const,
  );
  const [pair, ...others] = places.filter((pair) => pair.every(isPhone));
  return others.length === 0 ? pair?.[0] : undefined;
}

const digitsOf = (text: string) => text.replace(/\P{Nd}/gu, "");

export function isPhone(cell: string): boolean {
  const { data } = phone.safeParse(cell);
  return data !== undefined && countryOf(normalisePhone(data)) !== "";
}

/** A possible area code and its slash. In `345 67 89/90` the slash precedes an extension. */
const AREA = /^(\+?[\d ()-]{2,12})\/ ?(?=(?:[^\d/]*\d){5}[^/]*$)/;
const isAreaCode = (text: string) =>
  text.replace(/^\+|^00|\D/g, "").length <= (/^[+(]?0|^\+/.test(text) ? 6 : 4);

/** Removes what exports add to a number: `tel:`, a slash, decimals; restores a dropped plus. */
function numberOf(cell: string): string {
  const bare = cell
    .replace(/^tel:/i, "")
    .replace(AREA, (match, area: string) => (isAreaCode(area) ? `${area.trimEnd()} ` : match));
  const number = wholeNumber(bare);
  return /^[1-9]\d{9,14}$/.test(number) && !isPhone(number) && isPhone(`+${number}`) ? `+${number}` : number;
}

/** Reads numbers as spreadsheets write them, `9,05321234567E+11` and `5321234567.0`, if no digit is lost. */
function wholeNumber(text: string): string {
  const [, first, rest = "", exponent] = /^(\d)[.,](\d{1,20})E\+?(\d{1,2})$/i.exec(text) ?? [];
  if (first !== undefined) return rest.length === Number(exponent) ? first + rest : text;
  return text.replace(/^(\d{7,15})[.,]0{1,2}$/, "$1");
}

import { trimmed } from "@/server/core/normalise";
import { countryOf, storedPhone } from "@/server/core/phone";
import { email, phone } from "@/server/core/schema";

/** Characters that are kept of a cell; no field takes as many. */
const CELL = 500;

/** The apostrophe that makes a cell text: ours in lists that we export, and that of spreadsheets. */
const APOSTROPHE = /^'(?=\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20\p{Nd}\p{Lu}])/u;

/** Characters that programs put around the value of a cell. */
const WRAPPERS = [/^="([^"]*)"$/, /^'(.*)'$/, /^“([^“”]*)”$/, /^„([^„“”]*)[“”]$/, /^«([^«»]*)»$/];

/** Returns the value of a cell as a person reads it, in one line. */
export function cleanCell(raw: string): string {
  if (raw === "") return "";
  let text = trimmed(raw);
  // The cut may go through a pair of surrogates, whose half no database takes.
  text = text.slice(0, CELL).toWellFormed();
  text = text.replace(/[\t\n\v\f\r\u2028\u2029]+/g, " ").replace(/\p{Cc}/gu, "");
  // MySQL writes a backslash before quotation marks, and \N for no value.
  text = text === "\\N" ? "" : text.replace(/\\(["'])/g, "$1");
  for (const wrapper of WRAPPERS) {
    const value = wrapper.exec(text)?.[1];
    if (value !== undefined) return trimmed(value.replace(APOSTROPHE, ""));
  }
  return text.replace(APOSTROPHE, "");
}

/** Whether a cell is an e-mail address and nothing else. */
export function isAddress(cell: string): boolean {
  return cell.includes("@") && email.safeParse(cell).success;
}

/** Values of a cell: address books separate several by `:::`, people by a comma or semicolon. */
const valuesOf = (cell: string) => cell.split(/:::|[;,]/).map(trimmed);

/** Returns the first address of a cell, or the cell when it has none. `Ayşe Kaya <ayse@example.com>` has one. */
export function addressOf(cell: string): string {
  return [cell, ...addressesOf(cell)].map(bareAddress).find(isAddress) ?? cell;
}

/** Whether a cell has one address or several, and nothing else but the names of their owners. */
export function isAddressList(cell: string): boolean {
  if (!cell.includes("@")) return false;
  return isAddress(bareAddress(cell)) || addressesOf(cell).every((value) => isAddress(bareAddress(value)));
}

/** Whether a cell is or has an address, or was meant to be one: `ali@gmail`. */
export function hasAddress(cell: string): boolean {
  return cell.includes("@") && (/^[^\s@()]+@[^\s@()]+$/.test(cell) || isAddress(addressOf(cell)));
}

function addressesOf(cell: string): string[] {
  const words = cell.split(" ");
  return words.every(isAddress) ? words : valuesOf(cell).filter(Boolean);
}

const bareAddress = (value: string) =>
  trimmed((/<([^<>]*)>$/.exec(value)?.[1] ?? value).replace(/^mailto:/i, "").replace(/^'/, ""));

/** Between two telephone numbers: a sign, or "and" and "or" in the languages of the product. */
const BETWEEN = /:::|[;,/|&]|\s-\s|\s(?:ve|veya|and|or|und|oder|et|ou|e|o|и|или|و|أو)\s/i;
/** Digits of the longest number with its country, and of the shortest that stands without an area code. */
const LONGEST_NUMBER = 15;
const LOCAL_NUMBER = 7;
/** Groups of digits that two numbers have at most. */
const GROUPS = 20;

/** Returns the first telephone number of a cell, or the cell when it has none. */
export function phoneOf(cell: string): string {
  const number = numberOf(cell);
  if (isOneNumber(number) && phone.safeParse(number).success) return number;
  const numbers = cell.split(BETWEEN).map(trimmed).map(numberOf);
  return numbers.find(isPhone) ?? firstOfTwo(cell) ?? cell;
}

/** Whether a text is at most one telephone number. The schema of an invitation takes any digits in groups. */
export function isOneNumber(text: string): boolean {
  if (digitsOf(text).replace(/^00/, "").length > LONGEST_NUMBER) return false;
  return (
    isPhone(text) || text.split(BETWEEN).filter((part) => digitsOf(part).length >= LOCAL_NUMBER).length < 2
  );
}

/** The first of two numbers with a space between them, where one place of it makes two. */
function firstOfTwo(cell: string): string | undefined {
  const groups = cell.split(" ");
  if (groups.length > GROUPS || digitsOf(cell).length < 2 * LOCAL_NUMBER) return undefined;
  const places = groups.map(
    (_, place) => [groups.slice(0, place).join(" "), groups.slice(place).join(" ")] as const,
  );
  const [pair, ...others] = places.filter((pair) => pair.every(isPhone));
  return others.length === 0 ? pair?.[0] : undefined;
}

const digitsOf = (text: string) => text.replace(/\P{Nd}/gu, "");

/** Whether a cell is a telephone number of some country, or one of Turkey without its code. */
export function isPhone(cell: string): boolean {
  const { data } = phone.safeParse(cell);
  return data !== undefined && countryOf(storedPhone(data)) !== "";
}

/** A possible area code and its slash. In `345 67 89/90`, the slash is followed by the end of another number. */
const AREA = /^(\+?[\d ()-]{2,12})\/ ?(?=(?:[^\d/]*\d){5}[^/]*$)/;
const isAreaCode = (text: string) =>
  text.replace(/^\+|^00|\D/g, "").length <= (/^[+(]?0|^\+/.test(text) ? 6 : 4);

/** A number without what address books and spreadsheets add or drop: `tel:`, the slash after an area code, decimals, the plus. */
function numberOf(cell: string): string {
  const bare = cell
    .replace(/^tel:/i, "")
    .replace(AREA, (found, area: string) => (isAreaCode(area) ? `${area.trimEnd()} ` : found));
  const number = wholeNumber(bare);
  return /^[1-9]\d{9,14}$/.test(number) && !isPhone(number) && isPhone(`+${number}`) ? `+${number}` : number;
}

/** Reads `9,05321234567E+11` and `5321234567.0`, as spreadsheets write numbers, when no digit is lost. */
function wholeNumber(text: string): string {
  const [, first, rest = "", exponent] = /^(\d)[.,](\d{1,20})E\+?(\d{1,2})$/i.exec(text) ?? [];
  if (first !== undefined) return rest.length === Number(exponent) ? first + rest : text;
  return text.replace(/^(\d{7,15})[.,]0{1,2}$/, "$1");
}

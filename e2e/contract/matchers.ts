/** A condition on a value of a response, with its description. */
export class Matcher {
  constructor(
    readonly says: string,
    readonly fits: (value: unknown) => boolean,
  ) {}
}

const is = (says: string, fits: (value: unknown) => boolean) => new Matcher(says, fits);
const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";

export const integer = is("an integer", Number.isInteger);
export const number = is("a number", (value) => typeof value === "number");
export const flag = is("true or false", (value) => typeof value === "boolean");
export const string = is("a string", (value) => typeof value === "string");
export const text = is("a text", isText);
export const list = is("a list", Array.isArray);
export const object = is("an object", isObject);
export const absent = is("absent", (value) => value === undefined);
/** docs/contract.md 2: ISO 8601, UTC, microseconds. */
export const timestamp = is("a timestamp with microseconds", (value) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(String(value)),
);
/** Heuristic: Turkish texts nearly always contain one of these letters. */
export const turkish = is("a text in Turkish", (value) => isText(value) && /[çğıöşüÇĞİÖŞÜ]/.test(`${value}`));
export const positive = is("a whole number above 0", (value) => Number.isInteger(value) && Number(value) > 0);
/** Printable ASCII without spaces, so that it fits into a header. */
export const secret = is("a secret without spaces", (value) => /^[\x21-\x7e]{16,}$/.test(String(value)));

export function orNull({ says, fits }: Matcher): Matcher {
  return is(`${says} or null`, (value) => value === null || fits(value));
}

export function listOf({ says, fits }: Matcher): Matcher {
  return is(`a list, each ${says}`, (value) => Array.isArray(value) && value.every(fits));
}

/** Equals a value of this run. `says` must be the same in every run. */
export function equal(value: unknown, says: string): Matcher {
  return is(says, (found) => value !== undefined && same(found, value));
}

export function matching(pattern: RegExp): Matcher {
  return is(`like ${pattern}`, (value) => typeof value === "string" && pattern.test(value));
}

export function oneOf(...values: unknown[]): Matcher {
  return is(`one of ${JSON.stringify(values)}`, (value) => values.includes(value));
}

export function containing(...items: unknown[]): Matcher {
  return is(
    `a list with ${JSON.stringify(items)}`,
    (value) => Array.isArray(value) && items.every((item) => value.includes(item)),
  );
}

/** Exactly these members, in any order. */
export function members(...items: unknown[]): Matcher {
  return is(
    `exactly ${JSON.stringify(items)} in any order`,
    (value) => Array.isArray(value) && same([...value].sort(), [...items].sort()),
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => same(a[key], b[key]));
}

export function fits(expected: unknown, value: unknown): boolean {
  return expected instanceof Matcher ? expected.fits(value) : same(expected, value);
}

/** Describes an expectation without ids and long texts, which differ between runs. */
export function words(expected: unknown, path = ""): string {
  if (expected instanceof Matcher) return expected.says;
  if (/(^|[._])id$/.test(path) && expected !== null) return "the right one";
  const shown = JSON.stringify(expected);
  return shown.length > 80 ? `${shown.slice(0, 60)}… of ${shown.length - 2} characters` : shown;
}

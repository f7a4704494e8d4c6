export class Matcher {
  constructor(
    readonly says: string,
    readonly fits: (value: unknown) => boolean,
  ) {}
}

const matcher = (says: string, fits: (value: unknown) => boolean) => new Matcher(says, fits);
const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";

export const integer = matcher("an integer", Number.isInteger);
export const number = matcher("a number", (value) => typeof value === "number");
export const flag = matcher("true or false", (value) => typeof value === "boolean");
export const string = matcher("a string", (value) => typeof value === "string");
export const text = matcher("a text", isText);
export const list = matcher("a list", Array.isArray);
export const object = matcher("an object", isObject);
export const absent = matcher("absent", (value) => value === undefined);
/** docs/contract.md 2: ISO 8601, UTC, microseconds. */
export const timestamp = matcher("a timestamp with microseconds", (value) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(String(value)),
);
/** Heuristic: Turkish texts nearly always contain one of these letters. */
export const turkish = matcher(
  "a text in Turkish",
  (value) => isText(value) && /[çğıöşüÇĞİÖŞÜ]/.test(`${value}`),
);
export const positive = matcher(
  "a whole number above 0",
  (value) => Number.isInteger(value) && Number(value) > 0,
);
export const secret = matcher("a secret without spaces", (value) => /^[\x21-\x7e]{16,}$/.test(String(value)));

export function orNull({ says, fits }: Matcher): Matcher {
  return matcher(`${says} or null`, (value) => value === null || fits(value));
}

export function listOf({ says, fits }: Matcher): Matcher {
  return matcher(`a list, each ${says}`, (value) => Array.isArray(value) && value.every(fits));
}

/** Equals a value of this run. `says` must be the same in every run. */
export function equal(value: unknown, says: string): Matcher {
  return matcher(says, (actual) => value !== undefined && same(actual, value));
}

export function matching(pattern: RegExp): Matcher {
  return matcher(`like ${pattern}`, (value) => typeof value === "string" && pattern.test(value));
}

export function oneOf(...values: unknown[]): Matcher {
  return matcher(`one of ${JSON.stringify(values)}`, (value) => values.includes(value));
}

export function containing(...items: unknown[]): Matcher {
  return matcher(
    `a list with ${JSON.stringify(items)}`,
    (value) => Array.isArray(value) && items.every((item) => value.includes(item)),
  );
}

export function members(...items: unknown[]): Matcher {
  return matcher(
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
export function expectationText(expected: unknown, path = ""): string {
  if (expected instanceof Matcher) return expected.says;
  if (/(^|[._])id$/.test(path) && expected !== null) return "the right one";
  const json = JSON.stringify(expected);
  return json.length > 80 ? `${json.slice(0, 60)}… of ${json.length - 2} characters` : json;
}

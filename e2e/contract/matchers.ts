export class Matcher {
  constructor(
    readonly description: string,
    readonly matches: (value: unknown) => boolean,
  ) {}
}

const createMatcher = (description: string, matches: (value: unknown) => boolean) =>
  new Matcher(description, matches);
const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";

export const integer = createMatcher("an integer", Number.isInteger);
export const number = createMatcher("a number", (value) => typeof value === "number");
export const boolean = createMatcher("true or false", (value) => typeof value === "boolean");
export const string = createMatcher("a string", (value) => typeof value === "string");
export const nonEmptyString = createMatcher("a text", isText);
export const list = createMatcher("a list", Array.isArray);
export const object = createMatcher("an object", isObject);
export const absent = createMatcher("absent", (value) => value === undefined);
/** docs/contract.md 2: ISO 8601, UTC, microseconds. */
export const timestamp = createMatcher("a timestamp with microseconds", (value) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(String(value)),
);
/** Heuristic: Turkish texts nearly always contain one of these letters. */
export const turkishText = createMatcher(
  "a text in Turkish",
  (value) => isText(value) && /[çğıöşüÇĞİÖŞÜ]/.test(`${value}`),
);
export const positiveInteger = createMatcher(
  "a whole number above 0",
  (value) => Number.isInteger(value) && Number(value) > 0,
);
export const secret = createMatcher("a secret without spaces", (value) =>
  /^[\x21-\x7e]{16,}$/.test(String(value)),
);

export function orNull({ description, matches }: Matcher): Matcher {
  return createMatcher(`${description} or null`, (value) => value === null || matches(value));
}

export function listOf({ description, matches }: Matcher): Matcher {
  return createMatcher(
    `a list, each ${description}`,
    (value) => Array.isArray(value) && value.every(matches),
  );
}

/** Equals a value of this run. `description` must be the same in every run, because runs are compared. */
export function equalTo(value: unknown, description: string): Matcher {
  return createMatcher(description, (actual) => value !== undefined && isDeepEqual(actual, value));
}

export function matching(pattern: RegExp): Matcher {
  return createMatcher(`like ${pattern}`, (value) => typeof value === "string" && pattern.test(value));
}

export function oneOf(...values: unknown[]): Matcher {
  return createMatcher(`one of ${JSON.stringify(values)}`, (value) => values.includes(value));
}

export function containing(...items: unknown[]): Matcher {
  return createMatcher(
    `a list with ${JSON.stringify(items)}`,
    (value) => Array.isArray(value) && items.every((item) => value.includes(item)),
  );
}

export function sameMembers(...items: unknown[]): Matcher {
  return createMatcher(
    `exactly ${JSON.stringify(items)} in any order`,
    (value) => Array.isArray(value) && isDeepEqual([...value].sort(), [...items].sort()),
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isDeepEqual(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isDeepEqual(item, right[index]));
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => isDeepEqual(left[key], right[key]));
}

export function matchesExpectation(expected: unknown, value: unknown): boolean {
  return expected instanceof Matcher ? expected.matches(value) : isDeepEqual(expected, value);
}

/** Describes an expectation without ids and long texts, which differ between runs. */
export function describeExpectation(expected: unknown, path = ""): string {
  if (expected instanceof Matcher) return expected.description;
  if (/(^|[._])id$/.test(path) && expected !== null) return "the right one";
  const json = JSON.stringify(expected);
  return json.length > 80 ? `${json.slice(0, 60)}… of ${json.length - 2} characters` : json;
}

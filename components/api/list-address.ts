import { createParser, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

/** What every list has in its address: words, order, page. Filters stand beside them, under the names of the API. */
export function listParsers<const S extends string>(sorts: readonly S[], first: NoInfer<S>) {
  return {
    q: parseAsString.withDefault(""),
    sort: parseAsStringLiteral(sorts).withDefault(first),
    page: parseAsInteger.withDefault(1),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: each list has sorts of its own
export type ListParsers = ReturnType<typeof listParsers<any>>;

/** The number of a record in an address; anything else is no filter. */
export const parseAsRecord = createParser({
  parse: (text) => (/^[1-9]\d{0,8}$/.test(text) ? text : null),
  serialize: (text) => text,
});

/** A day in an address, `2027-11-20`; anything else is no filter. */
export const parseAsDay = createParser({
  parse: (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null),
  serialize: (text) => text,
});

/** What the API refuses in a line of text. */
const UNUSABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** The query for the API of what the address says, whatever somebody wrote into it. */
export function listInput<V extends { q: string; page: number }>({ q, page, ...view }: V) {
  return {
    ...view,
    q: q.replace(UNUSABLE, " ").trim().slice(0, 200) || null,
    page: String(Math.min(Math.max(1, page), 100_000)),
  };
}

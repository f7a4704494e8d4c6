import { createParser, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

/** Query parameters of every list: search words, order, page. Add filters under their API names. */
export function createListParsers<const S extends string>(sorts: readonly S[], defaultSort: NoInfer<S>) {
  return {
    q: parseAsString.withDefault(""),
    sort: parseAsStringLiteral(sorts).withDefault(defaultSort),
    page: parseAsInteger.withDefault(1),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: each list has sorts of its own
export type ListParsers = ReturnType<typeof createListParsers<any>>;

/** Parses a record ID; ignores anything else. */
export const parseAsRecordId = createParser({
  parse: (text) => (/^[1-9]\d{0,8}$/.test(text) ? text : null),
  serialize: (text) => text,
});

export const parseAsDay = createParser({
  parse: (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null),
  serialize: (text) => text,
});

const REJECTED_CHARACTERS = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Converts query parameters, also of hand-edited URLs, to a query that the API accepts. */
export function toListInput<V extends { q: string; page: number }>({ q, page, ...view }: V) {
  return {
    ...view,
    q: q.replace(REJECTED_CHARACTERS, " ").trim().slice(0, 200) || null,
    page: String(Math.min(Math.max(1, page), 100_000)),
  };
}

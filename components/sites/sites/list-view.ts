import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { Site } from "./types";

export const PAGE_SIZE = 50;

export const STATES = ["all", "active", "suspended"] as const;
export const SORTS = ["name", "domain", "created"] as const;
export const ORDERS = ["asc", "desc"] as const;

/** The list as the address describes it; the same on the server and in the browser. */
export const listParsers = {
  q: parseAsString.withDefault(""),
  state: parseAsStringLiteral(STATES).withDefault("all"),
  sort: parseAsStringLiteral(SORTS).withDefault("created"),
  order: parseAsStringLiteral(ORDERS).withDefault("desc"),
  page: parseAsInteger.withDefault(1),
};

export interface ListView {
  q: string;
  state: (typeof STATES)[number];
  sort: (typeof SORTS)[number];
  order: (typeof ORDERS)[number];
}

/** For searching: İ, I, ı and i are one letter, and marks do not count (ş as s, é as e). */
export function fold(text: string): string {
  return text.replace(/[İIı]/g, "i").toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
}

/** The sites of a view, in its order. `compare` orders names as the reader's language does. */
export function sitesIn(
  sites: readonly Site[],
  { q, state, sort, order }: ListView,
  compare: (a: string, b: string) => number,
): Site[] {
  const words = fold(q).split(/\s+/).filter(Boolean);
  const wanted = sites.filter((site) => {
    if (state !== "all" && site.is_active !== (state === "active")) return false;
    const text = fold(`${site.name} ${site.domain} ${site.id}`);
    return words.every((word) => text.includes(word));
  });
  const by = {
    name: (a: Site, b: Site) => compare(a.name, b.name),
    domain: (a: Site, b: Site) => compare(a.domain, b.domain),
    created: (a: Site, b: Site) => a.id - b.id,
  }[sort];
  return wanted.sort((a, b) => (order === "asc" ? by(a, b) : by(b, a)));
}

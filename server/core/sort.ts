export const DEFAULT_PAGE_SIZE = 50;

export type SortKey<S extends string> = S | `-${S}`;

export function parseSort<S extends string>(sort: SortKey<S>): { by: S; direction: "asc" | "desc" } {
  return sort.startsWith("-")
    ? { by: sort.slice(1) as S, direction: "desc" }
    : { by: sort as S, direction: "asc" };
}

export const PER_PAGE = 50;

/** Sort key: ascending, or descending with a minus. */
export type SortOf<S extends string> = S | `-${S}`;

export function orderOf<S extends string>(sort: SortOf<S>): { by: S; direction: "asc" | "desc" } {
  return sort.startsWith("-")
    ? { by: sort.slice(1) as S, direction: "desc" }
    : { by: sort as S, direction: "asc" };
}

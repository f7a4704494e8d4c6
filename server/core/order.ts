/** Rows of a page unless the caller asks for another number. */
export const PER_PAGE = 50;

/** A word for ascending order, and with a minus for descending. */
export type SortOf<S extends string> = S | `-${S}`;

/** A sort as a column and a direction. */
export function orderOf<S extends string>(sort: SortOf<S>): { by: S; direction: "asc" | "desc" } {
  return sort.startsWith("-")
    ? { by: sort.slice(1) as S, direction: "desc" }
    : { by: sort as S, direction: "asc" };
}

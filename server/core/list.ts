import * as z from "zod";
import { line, queryInt } from "./schema";

/*
 * Lists that are read page by page share their query and the shape of what comes back, so that one hook, one table and
 * one way to a CSV serve them all.
 */

/** Rows of a page unless the caller asks for another number, and the most that one may ask for. */
export const PER_PAGE = 50;
const PER_PAGE_MAX = 500;
/** The last page that can be asked for: an offset beyond it says that filters are what is wanted. */
const PAGE_MAX = 100_000;

/** A word for ascending order, and with a minus for descending. */
export type SortOf<S extends string> = S | `-${S}`;

/** What narrows and orders a list: `q` finds rows with all its words, `sort` is a column, `-column` for descending. */
export function listFilter<const S extends readonly [string, ...string[]], F extends z.core.$ZodLooseShape>({
  sorts,
  filters,
}: {
  sorts: S;
  filters: F;
}) {
  const orders = sorts.flatMap((sort) => [sort, `-${sort}`]) as SortOf<S[number]>[];
  return z.object({
    q: line({ max: 200 }).meta({ example: "kahve" }).nullish(),
    sort: z
      .enum(orders as [SortOf<S[number]>, ...SortOf<S[number]>[]])
      .meta({ example: orders[0] as never })
      .nullish(),
    ...filters,
  });
}

/** The page of a list: from 1, `per_page` rows each. */
export const pageQuery = z.object({
  page: queryInt({ min: 1, max: PAGE_MAX }).meta({ example: "1" }).nullish(),
  per_page: queryInt({ min: 1, max: PER_PAGE_MAX }).meta({ example: "50" }).nullish(),
});

/** Where a page stands: `total` counts the rows of all pages. */
export const PageMeta = z
  .object({
    page: z.int().meta({ example: 1 }),
    per_page: z.int().meta({ example: 50 }),
    total: z.int().meta({ example: 1 }),
  })
  .meta({ id: "PageMeta" });

/** The rows to skip and to take for a page. */
export function pageOf({ page, per_page }: z.output<typeof pageQuery>) {
  const [at, size] = [page ?? 1, per_page ?? PER_PAGE];
  return { page: at, per_page: size, rows: { skip: (at - 1) * size, take: size } };
}

/** A sort as a column and a direction. */
export function orderOf<S extends string>(sort: SortOf<S>): { by: S; direction: "asc" | "desc" } {
  return sort.startsWith("-")
    ? { by: sort.slice(1) as S, direction: "desc" }
    : { by: sort as S, direction: "asc" };
}

/** The type of the file that a filtered list is saved as. */
export const CSV = "text/csv; charset=utf-8";

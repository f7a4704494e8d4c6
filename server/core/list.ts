import * as z from "zod";
import { PER_PAGE, type SortOf } from "./order";
import { count, queryInt, searchLine, success } from "./schema";

export { orderOf } from "./order";

/*
 * Lists that are read page by page share their query and the shape of what comes back, so that one hook, one table and
 * one way to a CSV serve them all.
 */

/** The most rows of a page that one may ask for. */
const PER_PAGE_MAX = 500;
/** The last page that can be asked for: an offset beyond it says that filters are what is wanted. */
const PAGE_MAX = 100_000;

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
    q: searchLine({ max: 200 })
      .nullish()
      .meta({ description: "Words that every result contains.", example: "kahve" }),
    sort: z
      .enum(orders as [SortOf<S[number]>, ...SortOf<S[number]>[]])
      .nullish()
      .meta({ description: "Column to sort by; `-` for descending order.", example: orders[0] as never }),
    ...filters,
  });
}

/** The page of a list: from 1, `per_page` rows each. */
export const pageQuery = z.object({
  page: queryInt({ min: 1, max: PAGE_MAX })
    .meta({ example: "1" })
    .nullish()
    .meta({ description: "Page number, from 1." }),
  per_page: queryInt({ min: 1, max: PER_PAGE_MAX })
    .meta({ example: "50" })
    .nullish()
    .meta({ description: "Rows per page; 50 when omitted." }),
});

export const PageMeta = z
  .object({
    page: z.int().meta({ description: "Page number, from 1.", example: 1 }),
    per_page: z.int().meta({ description: "Rows per page.", example: 50 }),
    total: z.int().meta({ description: "Number of rows on all pages.", example: 1 }),
  })
  .meta({ id: "PageMeta", description: "Position of a page in a list." });

type ListShape<K extends string, R extends z.ZodType> = {
  success: typeof success;
  count: typeof count;
} & Record<K | "data", z.ZodArray<R>>;

/** The output of a list: the rows under their own name and again under `data`, then further fields. */
export function listOutput<
  const K extends string,
  R extends z.ZodType,
  M extends z.core.$ZodLooseShape = Record<never, never>,
>(name: K, row: R, description: string, more: M = {} as M) {
  const rows = { [name]: z.array(row).meta({ description }) };
  const data = z.array(row).meta({ description: `Same as \`${name}\`.` });
  return z.object({ success, ...rows, data, count, ...more } as unknown as ListShape<K, R> & M);
}

/** The output of a list that is read page by page. */
export function pageOutput<const K extends string, R extends z.ZodType>(
  name: K,
  row: R,
  description: string,
) {
  return listOutput(name, row, description, { meta: PageMeta });
}

/** The rows to skip and to take for a page. */
export function pageOf({ page, per_page }: z.output<typeof pageQuery>) {
  const [at, size] = [page ?? 1, per_page ?? PER_PAGE];
  return { page: at, per_page: size, rows: { skip: (at - 1) * size, take: size } };
}

/** Shared by the operations that download a filtered list as a file. */
export const CSV_DOWNLOAD = {
  method: "GET",
  limit: { points: 60, per: 3600, by: "account" },
  file: "text/csv; charset=utf-8",
  output: z.never(),
} as const;

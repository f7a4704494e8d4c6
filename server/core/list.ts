import * as z from "zod";
import { count, queryInt, searchLine, success } from "./schema";
import { DEFAULT_PAGE_SIZE, type SortKey } from "./sort";

export { parseSort } from "./sort";

/* All paginated lists have the same query and response, so they share a hook, a table and a CSV export. */

const MAX_PAGE_SIZE = 500;
/** Limits the offset: PostgreSQL reads every skipped row. */
export const MAX_PAGE_NUMBER = 100_000;

/** Query of a list: `q` for full-text search, `sort` by a column or `-column`, and filters. */
export function listFilter<const S extends readonly [string, ...string[]], F extends z.core.$ZodLooseShape>({
  sorts,
  filters,
}: {
  sorts: S;
  filters: F;
}) {
  const sortKeys = sorts.flatMap((sort) => [sort, `-${sort}`]) as SortKey<S[number]>[];
  return z.object({
    q: searchLine({ max: 200 })
      .nullish()
      .meta({ description: "Search words; results contain all of them.", example: "kahve" }),
    sort: z
      .enum(sortKeys as [SortKey<S[number]>, ...SortKey<S[number]>[]])
      .nullish()
      .meta({
        description: "Field to sort by; prefix `-` for descending order.",
        example: sortKeys[0] as never,
      }),
    ...filters,
  });
}

export const pageQuery = z.object({
  page: queryInt({ min: 1, max: MAX_PAGE_NUMBER })
    .meta({ example: "1" })
    .nullish()
    .meta({ description: "Page number, 1 to 100,000. Default: 1." }),
  per_page: queryInt({ min: 1, max: MAX_PAGE_SIZE })
    .meta({ example: "50" })
    .nullish()
    .meta({ description: "Rows per page, at most 500. Default: 50." }),
});

export const PageMeta = z
  .object({
    page: z.int().meta({ description: "Page number, starting at 1.", example: 1 }),
    per_page: z.int().meta({ description: "Rows per page.", example: 50 }),
    total: z.int().meta({ description: "Total number of rows on all pages.", example: 1 }),
  })
  .meta({ id: "PageMeta", description: "Position of a page in a list." });

type ListShape<K extends string, R extends z.ZodType> = {
  success: typeof success;
  count: typeof count;
} & Record<K | "data", z.ZodArray<R>>;

/** Output of a list: the rows under `name` and again under `data`, then further fields. */
export function listOutput<
  const K extends string,
  R extends z.ZodType,
  M extends z.core.$ZodLooseShape = Record<never, never>,
>(name: K, row: R, description: string, extraFields: M = {} as M) {
  const rows = { [name]: z.array(row).meta({ description }) };
  const data = z.array(row).meta({ description: `Same as \`${name}\`.` });
  return z.object({ success, ...rows, data, count, ...extraFields } as unknown as ListShape<K, R> & M);
}

export function pageOutput<const K extends string, R extends z.ZodType>(
  name: K,
  row: R,
  description: string,
) {
  return listOutput(name, row, description, { meta: PageMeta });
}

export function parsePage({ page, per_page }: z.output<typeof pageQuery>) {
  const [pageNumber, pageSize] = [page ?? 1, per_page ?? DEFAULT_PAGE_SIZE];
  return {
    page: pageNumber,
    per_page: pageSize,
    range: { skip: (pageNumber - 1) * pageSize, take: pageSize },
  };
}

export const CSV_DOWNLOAD = {
  method: "GET",
  limit: { points: 60, per: 3600, by: "account" },
  file: "text/csv; charset=utf-8",
  output: z.never(),
} as const;

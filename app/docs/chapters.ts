import type { DocOperation } from "./types";

/** Operations of one topic, on a page of their own; a long topic has several. */
export interface Pages {
  /** The last part of its address: `api-keys`, `api-keys-2`. */
  slug: string;
  title: string;
  operations: DocOperation[];
}

/** What a page may hold besides the frame, so that it stays below 300 kB in every language. */
const PAGE_MAX = 52_000;

/** Puts operations on pages, by topic. Where they end up is the same in every language. */
export function pagesOf(operations: readonly DocOperation[]): Pages[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return tags.flatMap((tag) => {
    const own = operations.filter((each) => each.tag === tag);
    const count = Math.ceil(own.reduce((sum, each) => sum + weightOf(each), 0) / PAGE_MAX);
    const perPage = Math.ceil(own.length / count);
    return Array.from({ length: Math.ceil(own.length / perPage) }, (_, at) => ({
      slug: `${tag.toLowerCase().replaceAll(" ", "-")}${at > 0 ? `-${at + 1}` : ""}`,
      title: at > 0 ? `${tag} ${at + 1}` : tag,
      operations: own.slice(at * perPage, (at + 1) * perPage),
    }));
  });
}

/** Characters of an operation, roughly: its fields, its examples and calls, and what stands with each. */
function weightOf({ description, params, query, body, result, errors, call }: DocOperation): number {
  const fields = [params, query, body].flat().length * 210 + JSON.stringify(result).length * 0.8;
  const calls = JSON.stringify(call).length * 4 + 900;
  return 900 + (description?.length ?? 0) + fields + calls + errors.length * 700;
}

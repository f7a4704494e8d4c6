import { refuse } from "@/server/core/errors";
import { isFile } from "./files";
import type { Pages } from "./serve";

/**
 * Serves so many pages at once, and as many files: those of the pages that are there are not refused with further ones.
 * Throws `busy` for what is beyond.
 */
export function bounded(most: number, pages: Pages): Pages {
  const present = { pages: 0, files: 0 };
  return async (req, res, body) => {
    const kind = isFile(req.url) ? "files" : "pages";
    if (present[kind] >= most) throw refuse("busy", { retryAfter: 5 });
    present[kind]++;
    try {
      await pages(req, res, body);
    } finally {
      present[kind]--;
    }
  };
}

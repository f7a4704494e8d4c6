import { refuse } from "@/server/core/errors";
import type { Pages } from "./serve";

/** Serves so many requests at once; throws `busy` for further ones. */
export function bounded(most: number, pages: Pages): Pages {
  let present = 0;
  return async (req, res) => {
    if (present >= most) throw refuse("busy", { retryAfter: 5 });
    present++;
    try {
      await pages(req, res);
    } finally {
      present--;
    }
  };
}

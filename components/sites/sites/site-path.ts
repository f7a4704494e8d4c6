import type { Route } from "next";

/** The page of a site, or one of its tabs. */
export function sitePath(id: number, tab?: "danger"): Route {
  return `/sites/${id}${tab ? `?tab=${tab}` : ""}` as Route;
}

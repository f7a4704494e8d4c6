import type { Route } from "next";

/** Path of a site's page or of one of its tabs. */
export function sitePath(id: number, tab?: "danger"): Route {
  return `/sites/${id}${tab ? `?tab=${tab}` : ""}` as Route;
}

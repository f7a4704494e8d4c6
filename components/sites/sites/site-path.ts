import type { Route } from "next";

/** The page of a site. */
export function sitePath(id: number): Route {
  return `/sites/${id}` as Route;
}

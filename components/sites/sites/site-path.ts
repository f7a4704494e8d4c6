import type { Route } from "next";

export function getSitePath(id: number, tab?: "danger"): Route {
  return `/sites/${id}${tab ? `?tab=${tab}` : ""}` as Route;
}

/** Path of the site's page with the first steps after its creation. */
export function getCreatedSitePath(id: number): Route {
  return `/sites/${id}?created=1` as Route;
}

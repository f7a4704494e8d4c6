import type { Route } from "next";

export function getSitePath(id: number, tab?: "danger"): Route {
  return `/sites/${id}${tab ? `?tab=${tab}` : ""}` as Route;
}

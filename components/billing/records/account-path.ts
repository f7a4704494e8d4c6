import type { Route } from "next";

/** An account's page, for administrators. */
export function accountPath(id: number): Route {
  return `/admin/users/${id}` as Route;
}

/** An invoice's page, for administrators. */
export function documentPath(id: number): Route {
  return `/admin/accounting/${id}` as Route;
}

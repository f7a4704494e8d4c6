import type { Route } from "next";

export function getAccountPath(id: number): Route {
  return `/admin/users/${id}` as Route;
}

export function getInvoicePath(id: number): Route {
  return `/admin/accounting/${id}` as Route;
}

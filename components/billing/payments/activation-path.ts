import type { Route } from "next";

export function getActivationPath(
  params: { user?: number; order?: number; renews?: number; plan?: number } = {},
): Route {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) query.set(name, String(value));
  return `/admin/subscriptions/activate${query.size > 0 ? `?${query}` : ""}` as Route;
}

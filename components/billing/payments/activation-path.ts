import type { Route } from "next";

/** The wizard, with what is known already. */
export function activationPath(given: { user?: number; order?: number; renews?: number } = {}): Route {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) query.set(name, String(value));
  return `/admin/subscriptions/activate${query.size > 0 ? `?${query}` : ""}` as Route;
}

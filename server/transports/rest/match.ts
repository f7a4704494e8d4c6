import type { Handler } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { handlers } from "./operations";
import type { RestRequest } from "./request";
import type { RestResponse } from "./response";
import { buildTable, type Match, type Table } from "./table";

let built: Table | undefined;
/** The table of this mode's operations. */
export function table(): Table {
  built ??= buildTable(handlers());
  return built;
}

/** The place that a request's path names. Throws `route_not_found`. */
export function placeOf({ pathname }: RestRequest): Match {
  const match = table().match(trimSlash(pathname));
  if (!match) throw refuse("route_not_found", { params: { path: shown(pathname) } });
  return match;
}

/** The operation that a request's method calls there. Throws `method_not_allowed`. */
export function handlerOf({ method, pathname }: RestRequest, { place }: Match): Handler {
  const handler = place.methods.get(method === "HEAD" ? "GET" : method);
  if (handler) return handler;
  const allow = allowed(place.methods);
  const shownAllow = allow.replace(/, OPTIONS$/, "");
  throw refuse("method_not_allowed", {
    headers: { allow },
    params: { method: method.slice(0, 20), path: shown(pathname), allow: shownAllow },
  });
}

/** The response to OPTIONS, a browser's question before it sends a request of another origin. */
export function preflight({ place }: Match): RestResponse {
  const allow = allowed(place.methods);
  return {
    status: 204,
    headers: {
      allow,
      "access-control-allow-methods": allow,
      "access-control-allow-headers":
        "Accept, Authorization, Content-Type, Idempotency-Key, X-API-Key, X-Portal-Host",
      "access-control-max-age": "86400",
    },
    body: null,
  };
}

function allowed(methods: Map<string, unknown>): string {
  const names = [...methods.keys()];
  return [...names, ...(names.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

function trimSlash(pathname: string): string {
  return pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
}

/** A path as error texts show it: without the leading slash, and shortened. */
function shown(pathname: string): string {
  return pathname.replace(/^\//, "").slice(0, 200);
}

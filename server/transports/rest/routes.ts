import type { Handler } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { decodePath } from "../decode-path";
import type { RestRequest } from "./input";
import { handlers } from "./operations";
import type { RestResponse } from "./response";

interface RouteEntry {
  path: string;
  methods: Map<string, Handler>;
}

interface Match {
  route: RouteEntry;
  params: Record<string, string>;
}

export interface RouteTable {
  match(pathname: string): Match | undefined;
  routes: RouteEntry[];
}

let cached: RouteTable | undefined;
export function routeTable(): RouteTable {
  cached ??= buildTable(handlers());
  return cached;
}

export function matchRoute({ pathname }: RestRequest): Match {
  const match = routeTable().match(trimSlash(pathname));
  if (!match) throw refuse("route_not_found", { params: { path: displayPath(pathname) } });
  return match;
}

export function matchMethod({ method, pathname }: RestRequest, { route }: Match): Handler {
  const handler = route.methods.get(method === "HEAD" ? "GET" : method);
  if (handler) return handler;
  const allow = allowed(route.methods);
  const shownAllow = allow.replace(/, OPTIONS$/, "");
  throw refuse("method_not_allowed", {
    headers: { allow },
    params: { method: method.slice(0, 20), path: displayPath(pathname), allow: shownAllow },
  });
}

export function preflight({ route }: Match): RestResponse {
  const allow = allowed(route.methods);
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

function displayPath(pathname: string): string {
  return pathname.replace(/^\//, "").slice(0, 200);
}

function buildTable(handlers: Handler[]): RouteTable {
  const places = new Map<string, RouteEntry>();
  for (const handler of handlers) {
    const { path, method, id } = handler.operation;
    const place = places.get(path) ?? { path, methods: new Map() };
    if (place.methods.has(method)) throw new Error(`${id}: ${method} ${path} is taken`);
    place.methods.set(method, handler);
    places.set(path, place);
  }
  const patterns = [...places.values()]
    .filter(({ path }) => path.includes("{"))
    .map((route) => ({ route, pattern: patternOf(route.path) }));
  const fixedRoutes = new Map<string, Match>();
  for (const place of places.values())
    if (!place.path.includes("{"))
      fixedRoutes.set(place.path, mergeRoutes(place, matchOpen(patterns, place.path)));
  return {
    routes: [...places.values()],
    match: (pathname) => fixedRoutes.get(pathname) ?? matchOpen(patterns, pathname),
  };
}

function matchOpen(
  patterns: Array<{ route: RouteEntry; pattern: RegExp }>,
  pathname: string,
): Match | undefined {
  for (const { route, pattern } of patterns) {
    const match = pattern.exec(pathname);
    if (match) return { route, params: decode(match.groups ?? {}) };
  }
  return undefined;
}

/** `POST /x/totp` and `DELETE /x/{method}` share a path: the pattern serves the other methods. */
function mergeRoutes(place: RouteEntry, patternMatch: Match | undefined): Match {
  if (!patternMatch) return { route: place, params: {} };
  const methods = new Map([...patternMatch.route.methods, ...place.methods]);
  return { route: { path: place.path, methods }, params: patternMatch.params };
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function decode(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodePath(value)]));
}

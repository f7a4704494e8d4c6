import type { Handler } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { decodePath } from "../decode-path";
import type { RestRequest } from "./input";
import { getHandlers } from "./operations";
import type { RestResponse } from "./response";

interface RouteEntry {
  path: string;
  methods: Map<string, Handler>;
}

interface RouteMatch {
  route: RouteEntry;
  params: Record<string, string>;
}

export interface RouteTable {
  match(pathname: string): RouteMatch | undefined;
  routes: RouteEntry[];
}

let cachedTable: RouteTable | undefined;
export function getRouteTable(): RouteTable {
  cachedTable ??= buildRouteTable(getHandlers());
  return cachedTable;
}

export function matchRoute({ pathname }: RestRequest): RouteMatch {
  const match = getRouteTable().match(trimSlash(pathname));
  if (!match) throw createError("route_not_found", { params: { path: toDisplayPath(pathname) } });
  return match;
}

export function matchMethod({ method, pathname }: RestRequest, { route }: RouteMatch): Handler {
  const handler = route.methods.get(method === "HEAD" ? "GET" : method);
  if (handler) return handler;
  const allow = formatAllow(route.methods);
  const displayedAllow = allow.replace(/, OPTIONS$/, "");
  throw createError("method_not_allowed", {
    headers: { allow },
    params: { method: method.slice(0, 20), path: toDisplayPath(pathname), allow: displayedAllow },
  });
}

export function buildPreflightResponse({ route }: RouteMatch): RestResponse {
  const allow = formatAllow(route.methods);
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

function formatAllow(methods: Map<string, unknown>): string {
  const names = [...methods.keys()];
  return [...names, ...(names.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

function trimSlash(pathname: string): string {
  return pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
}

function toDisplayPath(pathname: string): string {
  return pathname.replace(/^\//, "").slice(0, 200);
}

function buildRouteTable(handlers: Handler[]): RouteTable {
  const routesByPath = new Map<string, RouteEntry>();
  for (const handler of handlers) {
    const { path, method, id } = handler.operation;
    const entry = routesByPath.get(path) ?? { path, methods: new Map() };
    if (entry.methods.has(method)) throw new Error(`${id}: ${method} ${path} is taken`);
    entry.methods.set(method, handler);
    routesByPath.set(path, entry);
  }
  const patterns = [...routesByPath.values()]
    .filter(({ path }) => path.includes("{"))
    .map((route) => ({ route, pattern: buildPattern(route.path) }));
  const fixedRoutes = new Map<string, RouteMatch>();
  for (const entry of routesByPath.values())
    if (!entry.path.includes("{"))
      fixedRoutes.set(entry.path, mergeFixedWithPattern(entry, matchPattern(patterns, entry.path)));
  return {
    routes: [...routesByPath.values()],
    match: (pathname) => fixedRoutes.get(pathname) ?? matchPattern(patterns, pathname),
  };
}

function matchPattern(
  patterns: Array<{ route: RouteEntry; pattern: RegExp }>,
  pathname: string,
): RouteMatch | undefined {
  for (const { route, pattern } of patterns) {
    const match = pattern.exec(pathname);
    if (match) return { route, params: decodeParams(match.groups ?? {}) };
  }
  return undefined;
}

/** `POST /x/totp` and `DELETE /x/{method}` match the same path: the fixed route serves methods of both. */
function mergeFixedWithPattern(entry: RouteEntry, patternMatch: RouteMatch | undefined): RouteMatch {
  if (!patternMatch) return { route: entry, params: {} };
  const methods = new Map([...patternMatch.route.methods, ...entry.methods]);
  return { route: { path: entry.path, methods }, params: patternMatch.params };
}

function buildPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function decodeParams(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodePath(value)]));
}

import type { Handler } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { decoded } from "../decoded";
import type { RestRequest } from "./input";
import { handlers } from "./operations";
import type { RestResponse } from "./response";

/** A path pattern: its handlers by method, and the names of its parameters. */
interface Place {
  path: string;
  methods: Map<string, Handler>;
}

interface Match {
  place: Place;
  params: Record<string, string>;
}

/** The table of operations, ready to be matched against a path. */
export interface Table {
  match(pathname: string): Match | undefined;
  places: Place[];
}

let built: Table | undefined;
/** Returns the table of this mode's operations. */
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

/** Builds the table. Throws when two operations share a method and path. */
function buildTable(handlers: Handler[]): Table {
  const places = new Map<string, Place>();
  for (const handler of handlers) {
    const { path, method, id } = handler.operation;
    const place = places.get(path) ?? { path, methods: new Map() };
    if (place.methods.has(method)) throw new Error(`${id}: ${method} ${path} is taken`);
    place.methods.set(method, handler);
    places.set(path, place);
  }
  const open = [...places.values()]
    .filter(({ path }) => path.includes("{"))
    .map((place) => ({ place, pattern: patternOf(place.path) }));
  const fixed = new Map<string, Match>();
  for (const place of places.values())
    if (!place.path.includes("{")) fixed.set(place.path, joined(place, matchOpen(open, place.path)));
  return {
    places: [...places.values()],
    match: (pathname) => fixed.get(pathname) ?? matchOpen(open, pathname),
  };
}

function matchOpen(open: Array<{ place: Place; pattern: RegExp }>, pathname: string): Match | undefined {
  for (const { place, pattern } of open) {
    const found = pattern.exec(pathname);
    if (found) return { place, params: decode(found.groups ?? {}) };
  }
  return undefined;
}

/** `POST /x/totp` and `DELETE /x/{method}` share a path: the second serves methods that the first lacks. */
function joined(place: Place, beneath: Match | undefined): Match {
  if (!beneath) return { place, params: {} };
  const methods = new Map([...beneath.place.methods, ...place.methods]);
  return { place: { path: place.path, methods }, params: beneath.params };
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function decode(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decoded(value)]));
}

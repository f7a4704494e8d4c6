import type { Handler } from "@/server/core/contract";
import { decoded } from "../decoded";

/** A path pattern: its handlers by method, and the names of its parameters. */
interface Place {
  path: string;
  methods: Map<string, Handler>;
}

export interface Match {
  place: Place;
  params: Record<string, string>;
}

/** The table of operations, ready to be matched against a path. */
export interface Table {
  match(pathname: string): Match | undefined;
  places: Place[];
}

/** Builds the table. Throws when two operations share a method and path. */
export function buildTable(handlers: Handler[]): Table {
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

import { readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { CallOptions, TestResponse } from "./http";
import { buildHeaders, tryParseJson } from "./http";

type Route = (request: Request) => Promise<Response>;

const API_DIRECTORY = resolve("app/api");

/** Returns the route files in `app/api` by their Next path: `/api/sites/[id]`. */
export async function listRouteFiles(): Promise<Map<string, string>> {
  const entries = await readdir(API_DIRECTORY, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name === "route.ts");
  return new Map(
    files.map((entry) => [
      `/api/${relative(API_DIRECTORY, entry.parentPath)}`.replace(/\/$/, ""),
      join(entry.parentPath, entry.name),
    ]),
  );
}

/** Returns Next's path of an operation; `{locale}.json` is one segment. */
export function toNextPath(path: string): string {
  return path.replace(/\{(\w+)\}(\.\w+)?/g, "[$1]");
}

/** Calls the handler of a route file, as a host without our HTTP server does. */
export async function callRoute(
  file: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<TestResponse> {
  const route = (await import(file)) as Record<string, Route>;
  const { headers, bytes } = buildHeaders(options);
  const request = new Request(`http://panel.test${path}`, {
    method,
    headers: headers as Record<string, string>,
    ...(bytes && { body: new Uint8Array(bytes) }),
  });
  const response = await route[method]!(request);
  const body = Buffer.from(await response.arrayBuffer());
  const text = body.toString("utf8");
  const responseHeaders = Object.fromEntries(response.headers);
  return { status: response.status, headers: responseHeaders, text, bytes: body, json: tryParseJson(text) };
}

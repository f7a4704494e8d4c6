import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, relative, sep } from "node:path";
import { decoded } from "../decoded";

const FILES = "/_next/static/";

/** Tells files of the build, which are not rate-limited, from pages. */
export function isFile(path: string | undefined): boolean {
  return path?.startsWith(FILES) ?? false;
}

/** Responds to missing build files: Next would render an error page for each, without a rate limit. */
export function refuseMissing(directory: string): (req: IncomingMessage, res: ServerResponse) => boolean {
  const files = new Set(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(
        ({ parentPath, name }) => FILES + relative(directory, join(parentPath, name)).replaceAll(sep, "/"),
      ),
  );
  return (req, res) => {
    if (!isFile(req.url)) return false;
    const isRead = req.method === "GET" || req.method === "HEAD";
    if (isRead && files.has(decoded(req.url!.split("?", 1)[0]!))) return false;
    if (isRead) res.writeHead(404);
    else res.writeHead(405, { allow: "GET, HEAD" });
    res.end();
    return true;
  };
}

import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, relative, sep } from "node:path";
import { decodePath } from "../decode-path";

const FILES = "/_next/static/";

/** Tells files of the build, which are not rate-limited, from pages. */
export function isBuildFile(path: string | undefined): boolean {
  return path?.startsWith(FILES) ?? false;
}

/** Responds to missing build files: Next would render an error page for each, without a rate limit. */
export function createMissingFileHandler(
  directory: string,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const files = new Set(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(
        ({ parentPath, name }) => FILES + relative(directory, join(parentPath, name)).replaceAll(sep, "/"),
      ),
  );
  return (req, res) => {
    if (!isBuildFile(req.url)) return false;
    const isRead = req.method === "GET" || req.method === "HEAD";
    if (isRead && files.has(decodePath(req.url!.split("?", 1)[0]!))) return false;
    if (isRead) res.writeHead(404);
    else res.writeHead(405, { allow: "GET, HEAD" });
    res.end();
    return true;
  };
}

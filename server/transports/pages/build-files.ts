import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, relative, sep } from "node:path";
import { decodePath } from "../decode-path";

const BUILD_FILE_PREFIX = "/_next/static/";

/** Build files are not rate-limited; pages are. */
export function isBuildFile(path: string | undefined): boolean {
  return path?.startsWith(BUILD_FILE_PREFIX) ?? false;
}

/** Next would render an error page without a rate limit. The handler returns true if it has responded. */
export function createMissingFileHandler(
  directory: string,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const filePaths = new Set(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(
        ({ parentPath, name }) =>
          BUILD_FILE_PREFIX + relative(directory, join(parentPath, name)).replaceAll(sep, "/"),
      ),
  );
  return (req, res) => {
    if (!isBuildFile(req.url)) return false;
    const isReadMethod = req.method === "GET" || req.method === "HEAD";
    if (isReadMethod && filePaths.has(decodePath(req.url!.split("?", 1)[0]!))) return false;
    if (isReadMethod) res.writeHead(404);
    else res.writeHead(405, { allow: "GET, HEAD" });
    res.end();
    return true;
  };
}

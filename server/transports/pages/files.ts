import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, relative, sep } from "node:path";
import { decoded } from "../decoded";

const FILES = "/_next/static/";

/** Whether a path is of a file of the build, which is sent and not made: it is not counted as a page. */
export function isFile(path: string | undefined): boolean {
  return path?.startsWith(FILES) ?? false;
}

/**
 * Answers requests for files of the build that it does not have, and returns whether it has answered: files are not counted
 * as pages are, and Next would make a page of each. `directory` holds the files below `/_next/static/`; read once.
 */
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
    const reads = req.method === "GET" || req.method === "HEAD";
    if (reads && files.has(decoded(req.url!.split("?", 1)[0]!))) return false;
    if (reads) res.writeHead(404);
    else res.writeHead(405, { allow: "GET, HEAD" });
    res.end();
    return true;
  };
}

import { createReadStream, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { FileOutput, operation } from "@/server/core/contract";
import { createError } from "@/server/core/errors";

export const getClientPackage = operation({
  id: "getClientPackage",
  method: "GET",
  path: "/api/client.tgz",
  tag: "Operation",
  summary: "Download the TypeScript client of this version",
  description:
    "A package for `npm install <address>/api/client.tgz`, generated from this document. It has no dependencies. " +
    "Returns 404 on a server that runs without a build.",
  access: "public",
  limit: { points: 120, per: 60, by: "ip" },
  file: "application/gzip",
  output: z.never(),
  errors: ["route_not_found"],
});

const FILE_NAME = "tellal-client.tgz";

export async function openClientPackage(): Promise<FileOutput> {
  const file = join(process.cwd(), "dist", FILE_NAME);
  if (!existsSync(file)) throw createError("route_not_found", { params: { path: "api/client.tgz" } });
  const content = { size: statSync(file).size, open: () => createReadStream(file) };
  return new FileOutput(content, { type: "application/gzip", name: FILE_NAME });
}

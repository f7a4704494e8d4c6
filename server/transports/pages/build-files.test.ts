import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sendHttp } from "@/server/testing/http";
import { createMissingFileHandler } from "./build-files";

it("passes build files and pages to Next and answers missing files itself", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tellal-files-"));
  mkdirSync(join(directory, "chunks"));
  writeFileSync(join(directory, "chunks", "a [b].js"), "");
  const handleMissing = createMissingFileHandler(directory);
  const server = createServer((req, res) => {
    if (!handleMissing(req, res)) res.end("Next's");
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(directory, { recursive: true });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const request = async (method: string, path: string) => {
    const { status, text } = await sendHttp(port, method, path);
    return [status, text];
  };

  const file = "/_next/static/chunks/a%20%5Bb%5D.js";
  expect(await request("GET", `${file}?v=1`)).toEqual([200, "Next's"]);
  expect(await request("GET", "/docs"), "a page").toEqual([200, "Next's"]);
  expect(await request("POST", file)).toEqual([405, ""]);
  for (const missingPath of ["chunks/b.js", "chunks", "chunks/", "", "%", "../../docs", "%2e%2e/%2e%2e/docs"])
    expect(await request("GET", `/_next/static/${missingPath}`), missingPath).toEqual([404, ""]);
});

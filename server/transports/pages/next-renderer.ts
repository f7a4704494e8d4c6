import { IncomingMessage } from "node:http";
import next from "next";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from "next/constants.js";
import config from "next/dist/server/config.js";
import type { Env } from "@/server/core/env";
import { createMissingFileHandler } from "./build-files";
import type { PageHandler } from "./forward";
import { type Outage, runWithOutage } from "./outage";
import { interceptOutageResponse } from "./outage-page";

// Node.js exposes the CommonJS module as the default import.
const { default: loadConfig } = config as unknown as { default: typeof config };

export interface Renderer {
  handlePage: PageHandler;
  close(): Promise<void>;
}

export async function loadNext({ development, PORT }: Env): Promise<Renderer> {
  const dir = process.cwd();
  const app = next({ dev: development, dir, hostname: "localhost", port: PORT });
  // Caches the configuration: otherwise `prepare` logs it.
  await loadConfig(development ? PHASE_DEVELOPMENT_SERVER : PHASE_PRODUCTION_SERVER, dir);
  await app.prepare();
  const handleRequest = app.getRequestHandler();
  const handleMissingFile = development ? () => false : createMissingFileHandler(".next/static");
  return {
    handlePage: async (req, res, body) => {
      if (handleMissingFile(req, res)) return;
      const outage: Outage = {};
      interceptOutageResponse(req, res, outage);
      return runWithOutage(outage, () => handleRequest(body ? createRequestWithBody(req, body) : req, res));
    },
    close: () => app.close(),
  };
}

function createRequestWithBody(req: IncomingMessage, body: Uint8Array): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = req;
  const completeRequest = Object.assign(new IncomingMessage(req.socket), {
    ...{ method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor },
    complete: true,
  });
  completeRequest.push(body);
  completeRequest.push(null);
  return completeRequest;
}

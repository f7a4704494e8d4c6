import { IncomingMessage } from "node:http";
import next from "next";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from "next/constants.js";
import config from "next/dist/server/config.js";
import type { Env } from "@/server/core/env";
import { refuseMissing } from "./files";
import type { Pages } from "./forward";
import { type Outage, watching } from "./outage";
import { standIn } from "./stand-in";

// Node.js makes the whole CommonJS module the default import.
const { default: loadConfig } = config as unknown as { default: typeof config };

/** Next within this process. */
export interface Renderer {
  pages: Pages;
  close(): Promise<void>;
}

/** Loads the build, or Next's development server. */
export async function loadNext({ development, PORT }: Env): Promise<Renderer> {
  const dir = process.cwd();
  const app = next({ dev: development, dir, hostname: "localhost", port: PORT });
  // `prepare` prints a line when it runs next.config.mjs, and none when the configuration is cached.
  await loadConfig(development ? PHASE_DEVELOPMENT_SERVER : PHASE_PRODUCTION_SERVER, dir);
  await app.prepare();
  const handle = app.getRequestHandler();
  const refused = development ? () => false : refuseMissing(".next/static");
  return {
    pages: async (req, res, body) => {
      if (refused(req, res)) return;
      const outage: Outage = {};
      standIn(req, res, outage);
      return watching(outage, () => handle(body ? replayed(req, body) : req, res));
    },
    close: () => app.close(),
  };
}

/** Returns a request that reads as the one whose body has been received. */
function replayed(req: IncomingMessage, body: Uint8Array): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = req;
  const whole = Object.assign(new IncomingMessage(req.socket), {
    ...{ method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor },
    complete: true,
  });
  whole.push(body);
  whole.push(null);
  return whole;
}

import next from "next";
import type { Env } from "@/server/core/env";
import { refuseMissing } from "./files";
import { type Outage, watching } from "./outage";
import type { Pages } from "./serve";
import { standIn } from "./stand-in";

/** Next within this process. */
export interface Renderer {
  pages: Pages;
  close(): Promise<void>;
}

/** Loads the build, or Next's development server. */
export async function loadNext({ development, PORT }: Env): Promise<Renderer> {
  const app = next({ dev: development, dir: process.cwd(), hostname: "localhost", port: PORT });
  await app.prepare();
  const handle = app.getRequestHandler();
  const refused = development ? () => false : refuseMissing(".next/static");
  return {
    pages: async (req, res) => {
      if (refused(req, res)) return;
      const outage: Outage = {};
      standIn(req, res, outage);
      return watching(outage, () => handle(req, res));
    },
    close: () => app.close(),
  };
}

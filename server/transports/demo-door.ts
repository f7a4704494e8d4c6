import type { IncomingHttpHeaders } from "node:http";
import { env } from "@/server/core/env";
import { refuse } from "@/server/core/errors";
import { decoded } from "./decoded";
import { fromOwnPage } from "./request-origin";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** What shows everybody's mails, or signs in as anybody: the demo's own tools, at every door. */
const TOOLS = /^\/(?:api\/)?dev(?:\/|$)|^\/trpc\/.*\bsandbox\./;

/**
 * Throws `forbidden` when a foreign page calls for one of the demo's own tools: one that another site's page asks for,
 * or one under a host name that somebody else points at this machine. Programs, which send no origin, pass.
 */
export function guardDemoTools(path: string, headers: IncomingHttpHeaders): void {
  if (env().production || !TOOLS.test(decoded(path))) return;
  const host = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  const ours = LOOPBACK.has(host) || host === new URL(env().APP_URL).hostname;
  if (!ours || (!path.startsWith("/dev") && !fromHere(headers))) throw refuse("forbidden");
}

function fromHere(headers: IncomingHttpHeaders): boolean {
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join() : (value ?? null);
  };
  const site = header("sec-fetch-site");
  const sent = header("origin") !== null || (site !== null && site !== "none");
  return !sent || fromOwnPage({ header });
}

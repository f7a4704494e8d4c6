import type { IncomingHttpHeaders } from "node:http";
import { env } from "@/server/core/env";
import { refuse } from "@/server/core/errors";
import { decodePath } from "./decode-path";
import { isFromOwnPage } from "./request-origin";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Demo tools, on every transport: they show all mails and sign in as any account. */
const TOOLS = /^\/(?:api\/)?dev(?:\/|$)|^\/trpc\/.*\bsandbox\./;

/**
 * Rejects foreign pages, also through a host name pointed at this machine (DNS rebinding). Programs, which
 * send no origin, pass.
 */
export function guardDemoTools(path: string, headers: IncomingHttpHeaders): void {
  if (env().production || !TOOLS.test(decodePath(path))) return;
  const host = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  const isOwnHost = LOOPBACK.has(host) || host === new URL(env().APP_URL).hostname;
  if (!isOwnHost || (!path.startsWith("/dev") && !isFromProgramOrOwnPage(headers))) throw refuse("forbidden");
}

function isFromProgramOrOwnPage(headers: IncomingHttpHeaders): boolean {
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join() : (value ?? null);
  };
  const site = header("sec-fetch-site");
  const isFromBrowser = header("origin") !== null || (site !== null && site !== "none");
  return !isFromBrowser || isFromOwnPage({ header });
}

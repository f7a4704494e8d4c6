import type { IncomingHttpHeaders } from "node:http";
import { env } from "@/server/core/env";
import { createError } from "@/server/core/errors";
import { decodePath } from "./decode-path";
import { isFromOwnPage } from "./request-origin";

const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Demo tools show all mails and sign in as any account. */
const DEMO_TOOL_PATH_PATTERN = /^\/(?:api\/)?dev(?:\/|$)|^\/trpc\/.*\bsandbox\./;

/** Rejects foreign pages, also under another host name (DNS rebinding). Programs send no origin and pass. */
export function guardDemoTools(path: string, headers: IncomingHttpHeaders): void {
  if (env().production || !DEMO_TOOL_PATH_PATTERN.test(decodePath(path))) return;
  const host = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  const isOwnHost = LOOPBACK_HOSTS.has(host) || host === new URL(env().APP_URL).hostname;
  if (!isOwnHost || (!path.startsWith("/dev") && !isFromProgramOrOwnPage(headers)))
    throw createError("forbidden");
}

function isFromProgramOrOwnPage(headers: IncomingHttpHeaders): boolean {
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join() : (value ?? null);
  };
  const fetchSite = header("sec-fetch-site");
  const isFromBrowser = header("origin") !== null || (fetchSite !== null && fetchSite !== "none");
  return !isFromBrowser || isFromOwnPage({ header });
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/server/core/env";
import { refuse } from "@/server/core/errors";
import { storedSandbox } from "@/server/infrastructure/sandbox-store";
import { encoded } from "@/server/sandbox/kit";
import { PARTIES, type Party } from "@/server/sandbox/parties";
import { receiveBody } from "./rest/node";

const BASE = "/dev/sandbox/";
const MAX_BYTES = 100_000;

/** Serves `/dev/sandbox/<party>/**` at the front door of demo mode: what channel connections and invoices of a demo talk to. */
export async function serveSandbox(
  req: IncomingMessage,
  res: ServerResponse,
  { path, search }: { path: string; search: string },
): Promise<void> {
  const [, party = "", rest = "/"] = /^([a-z]+)(\/.*)?$/.exec(path.slice(BASE.length)) ?? [];
  const sandbox = Object.hasOwn(PARTIES, party) ? PARTIES[party as Party] : undefined;
  if (!sandbox) throw refuse("route_not_found", { params: { path } });
  const body = await receiveBody(req, MAX_BYTES);
  const answer = await sandbox(
    {
      method: req.method ?? "GET",
      path: rest,
      query: new URLSearchParams(search),
      header: (name) => {
        const value = req.headers[name];
        return Array.isArray(value) ? value.join(", ") : value;
      },
      body: body ? Buffer.from(body).toString("utf8") : "",
      base: `${env().APP_URL}${BASE}${party}`,
    },
    storedSandbox(party === "instagram" ? "meta" : party),
    Date.now(),
  );
  const { type, bytes } = encoded(answer);
  res.writeHead(answer.status, {
    "content-type": type,
    ...(answer.status !== 204 && { "content-length": bytes.length }),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  res.end(bytes);
}

/** Whether a path is a sandbox's: in demo mode only. */
export function isSandbox(path: string, production: boolean): boolean {
  return !production && path.startsWith(BASE);
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/server/core/env";
import { refuse } from "@/server/core/errors";
import { sandboxMount } from "@/server/infrastructure/sandbox-store";
import type { SandboxCall } from "@/server/sandbox/kit";
import { runSandbox } from "@/server/sandbox/run-sandbox";
import { SANDBOXES, type SandboxName } from "@/server/sandbox/services";
import { receiveBody } from "./rest/node";

const BASE = "/dev/sandbox/";
const MAX_BYTES = 100_000;

export async function serveSandbox(
  req: IncomingMessage,
  res: ServerResponse,
  { path, search }: { path: string; search: string },
): Promise<void> {
  const [, service = "", rest = "/"] = /^([a-z]+)(\/.*)?$/.exec(path.slice(BASE.length)) ?? [];
  if (!Object.hasOwn(SANDBOXES, service)) throw refuse("route_not_found", { params: { path } });
  const body = await receiveBody(req, MAX_BYTES);
  const call: SandboxCall = {
    method: req.method ?? "GET",
    path: rest,
    query: new URLSearchParams(search),
    header: (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    body: body ? Buffer.from(body).toString("utf8") : "",
    base: `${env().APP_URL}${BASE}${service}`,
  };
  await runSandbox(service as SandboxName, call, { mount: sandboxMount, res });
}

export function isSandbox(path: string, production: boolean): boolean {
  return !production && path.startsWith(BASE);
}

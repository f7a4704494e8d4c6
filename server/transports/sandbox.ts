import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/server/core/env";
import { createError } from "@/server/core/errors";
import { sandboxHost } from "@/server/infrastructure/sandbox-store";
import { runSandbox } from "@/server/sandbox/run-sandbox";
import type { SandboxCall } from "@/server/sandbox/sandbox";
import { SANDBOXES, type SandboxName } from "@/server/sandbox/services";
import { receiveBody } from "./rest/node";

const SANDBOX_PATH = "/dev/sandbox/";
const MAX_SANDBOX_BODY_BYTES = 100_000;

export async function serveSandbox(
  req: IncomingMessage,
  res: ServerResponse,
  { path, search }: { path: string; search: string },
): Promise<void> {
  const [, serviceName = "", servicePath = "/"] =
    /^([a-z]+)(\/.*)?$/.exec(path.slice(SANDBOX_PATH.length)) ?? [];
  if (!Object.hasOwn(SANDBOXES, serviceName)) throw createError("route_not_found", { params: { path } });
  const body = await receiveBody(req, MAX_SANDBOX_BODY_BYTES);
  const call: SandboxCall = {
    method: req.method ?? "GET",
    path: servicePath,
    query: new URLSearchParams(search),
    header: (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    body: body ? Buffer.from(body).toString("utf8") : "",
    baseUrl: `${env().APP_URL}${SANDBOX_PATH}${serviceName}`,
  };
  await runSandbox(serviceName as SandboxName, call, { host: sandboxHost, res });
}

export function isSandboxPath(path: string, isProduction: boolean): boolean {
  return !isProduction && path.startsWith(SANDBOX_PATH);
}

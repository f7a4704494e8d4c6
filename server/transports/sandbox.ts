import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/server/core/env";
import { createError } from "@/server/core/errors";
import { sandboxHost } from "@/server/infrastructure/sandbox-store";
import { runSandbox } from "@/server/sandbox/run-sandbox";
import type { SandboxCall } from "@/server/sandbox/sandbox";
import { SANDBOXES, type SandboxName } from "@/server/sandbox/services";
import { buildWidgetLoader, WIDGET_LOADER_PATH } from "@/server/sandbox/widget-loader";
import { receiveBody } from "./rest/node";

const SANDBOX_PATH = "/dev/sandbox/";
const MAX_SANDBOX_BODY_BYTES = 100_000;

export async function serveSandbox(
  req: IncomingMessage,
  res: ServerResponse,
  { path, search }: { path: string; search: string },
): Promise<void> {
  if (path === WIDGET_LOADER_PATH) return sendWidgetLoader(req, res);
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

async function sendWidgetLoader(req: IncomingMessage, res: ServerResponse): Promise<void> {
  await receiveBody(req, 0);
  const script = Buffer.from(buildWidgetLoader());
  res.writeHead(200, {
    "content-type": "text/javascript; charset=utf-8",
    "content-length": script.length,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // Pages that isolate themselves may load only scripts with this permission.
    "cross-origin-resource-policy": "cross-origin",
  });
  res.end(req.method === "HEAD" ? undefined : script);
}

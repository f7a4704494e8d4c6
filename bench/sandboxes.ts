import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { runSandbox } from "@/server/sandbox/run-sandbox";
import type { SandboxStore } from "@/server/sandbox/sandbox";
import type { SandboxName } from "@/server/sandbox/services";

/** Starts a local server that does not keep the process alive. Returns its URL. */
export async function startLocalServer(
  handle: (req: IncomingMessage, res: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts the sandboxes of external services, each below its name, without failures or rate limits. */
export async function startSandboxes(
  stores: Partial<Record<SandboxName, SandboxStore>>,
): Promise<{ url: string; countCalls: () => number }> {
  let calls = 0;
  const url: string = await startLocalServer(async (req, res) => {
    calls++;
    const body = await text(req);
    const { pathname, searchParams } = new URL(req.url!, "http://sandbox");
    const [, service, path] = /^\/(\w+)(\/.*)$/.exec(pathname)! as unknown as [string, SandboxName, string];
    const header = (name: string) => req.headers[name] as string | undefined;
    await runSandbox(
      service,
      { method: req.method!, path, query: searchParams, header, body, baseUrl: `${url}/${service}` },
      {
        res,
        host: {
          getStore: (name) => stores[name]!,
          takeFailure: async () => undefined,
          reportCall: async () => {},
        },
      },
    );
  });
  return { url, countCalls: () => calls };
}

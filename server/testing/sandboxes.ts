import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import type { FailureKind } from "@/server/sandbox/failures";
import { runSandbox, type SandboxHost } from "@/server/sandbox/run-sandbox";
import { createMemoryStore, type SandboxCall, type SandboxResponse } from "@/server/sandbox/sandbox";
import { SANDBOXES, type SandboxName } from "@/server/sandbox/services";

interface Fault {
  match: RegExp;
  times?: number;
  response: FailureKind | SandboxResponse | Interceptor;
}

/** Replaces the response; may perform the call first. */
type Interceptor = (perform: () => Promise<SandboxResponse>) => Promise<SandboxResponse>;

export interface FakeServices {
  url: string;
  env: Record<string, string>;
  stores: Record<SandboxName, ReturnType<typeof createMemoryStore>>;
  calls: string[];
  faults: Fault[];
  onCall?: (line: string, body: string) => void;
  beforeResponse?: () => Promise<void>;
}

/** Starts the sandboxes; closed after the file's last test. */
export async function startFakeServices(): Promise<FakeServices> {
  const stores = Object.fromEntries(
    Object.keys(SANDBOXES).map((service) => [service, createMemoryStore()]),
  ) as FakeServices["stores"];
  const services: FakeServices = { url: "", env: {}, stores, calls: [], faults: [] };
  const server = createServer(
    (req, res) => void respond(req, res, services).catch(() => req.socket.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  services.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  services.env = {
    OUTBOUND_TRUSTED: services.url,
    TELEGRAM_API_URL: `${services.url}/telegram`,
    META_GRAPH_URL: `${services.url}/meta`,
    INSTAGRAM_GRAPH_URL: `${services.url}/instagram`,
    TWILIO_API_URL: `${services.url}/twilio`,
    PARASUT_BASE_URL: `${services.url}/parasut`,
  };
  return services;
}

async function respond(req: IncomingMessage, res: ServerResponse, services: FakeServices): Promise<void> {
  const body = await text(req);
  const { pathname, searchParams } = new URL(req.url!, "http://sandbox");
  const [, service, path] = /^\/(\w+)(\/.*)$/.exec(pathname)!;
  const requestLine = `${req.method} ${pathname}`;
  const host: SandboxHost = {
    getStore: (name) => services.stores[name],
    takeFailure: async () => {
      services.calls.push(requestLine);
      const scriptedResponse = takeFault(services.faults, requestLine);
      return typeof scriptedResponse === "function"
        ? scriptedResponse(() =>
            SANDBOXES[service as SandboxName](call, services.stores[service as SandboxName], Date.now()),
          )
        : scriptedResponse;
    },
    reportCall: async ({ failure }) => {
      if (failure) return;
      services.onCall?.(requestLine, call.body);
      await services.beforeResponse?.();
    },
  };
  const call: SandboxCall = {
    method: req.method!,
    path: path!,
    query: searchParams,
    header: (name) => req.headers[name] as string | undefined,
    body,
    baseUrl: `${services.url}/${service}`,
  };
  await runSandbox(service as SandboxName, call, { host, res });
}

function takeFault(faults: Fault[], line: string): Fault["response"] | undefined {
  const fault = faults.find(({ match }) => match.test(line));
  if (!fault) return undefined;
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
  return fault.response;
}

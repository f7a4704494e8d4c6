import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import type { Failure } from "@/server/sandbox/failures";
import { createMemoryStore, type SandboxCall, type SandboxResponse } from "@/server/sandbox/kit";
import { runSandbox, type SandboxHost } from "@/server/sandbox/run-sandbox";
import { SANDBOXES, type SandboxName } from "@/server/sandbox/services";

interface Fault {
  match: RegExp;
  times?: number;
  response: Failure | SandboxResponse | Interceptor;
}

/** Replaces the response; may perform the call first. */
type Interceptor = (perform: () => Promise<SandboxResponse>) => Promise<SandboxResponse>;

/** All sandboxes on one loopback port. */
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
export async function fakeServices(): Promise<FakeServices> {
  const stores = Object.fromEntries(
    Object.keys(SANDBOXES).map((party) => [party, createMemoryStore()]),
  ) as FakeServices["stores"];
  const peer: FakeServices = { url: "", env: {}, stores, calls: [], faults: [] };
  const server = createServer((req, res) => void respond(req, res, peer).catch(() => req.socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  peer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  peer.env = {
    OUTBOUND_TRUSTED: peer.url,
    TELEGRAM_API_URL: `${peer.url}/telegram`,
    META_GRAPH_URL: `${peer.url}/meta`,
    INSTAGRAM_GRAPH_URL: `${peer.url}/instagram`,
    TWILIO_API_URL: `${peer.url}/twilio`,
    PARASUT_BASE_URL: `${peer.url}/parasut`,
  };
  return peer;
}

async function respond(req: IncomingMessage, res: ServerResponse, peer: FakeServices): Promise<void> {
  const body = await text(req);
  const { pathname, searchParams } = new URL(req.url!, "http://sandbox");
  const [, party, path] = /^\/(\w+)(\/.*)$/.exec(pathname)!;
  const line = `${req.method} ${pathname}`;
  const mount: SandboxHost = {
    store: (name) => peer.stores[name],
    failure: async () => {
      peer.calls.push(line);
      const scripted = takeFault(peer.faults, line);
      return typeof scripted === "function"
        ? scripted(() => SANDBOXES[party as SandboxName](call, peer.stores[party as SandboxName], Date.now()))
        : scripted;
    },
    report: async ({ failure }) => {
      if (failure) return;
      peer.onCall?.(line, call.body);
      await peer.beforeResponse?.();
    },
  };
  const call: SandboxCall = {
    method: req.method!,
    path: path!,
    query: searchParams,
    header: (name) => req.headers[name] as string | undefined,
    body,
    base: `${peer.url}/${party}`,
  };
  await runSandbox(party as SandboxName, call, { mount, res });
}

function takeFault(faults: Fault[], line: string): Fault["response"] | undefined {
  const fault = faults.find(({ match }) => match.test(line));
  if (!fault) return undefined;
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
  return fault.response;
}

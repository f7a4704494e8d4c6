import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import type { Failure } from "@/server/sandbox/failures";
import { memoryStore, type SandboxAnswer, type SandboxCall } from "@/server/sandbox/kit";
import { type Mount, play } from "@/server/sandbox/mount";
import { PARTIES, type Party } from "@/server/sandbox/parties";

interface Fault {
  match: RegExp;
  times?: number;
  instead: Failure | SandboxAnswer | Interceptor;
}

/** Replaces the response; may perform the call first. */
type Interceptor = (perform: () => Promise<SandboxAnswer>) => Promise<SandboxAnswer>;

/** All sandboxes on one loopback port. */
export interface SandboxPeer {
  url: string;
  env: Record<string, string>;
  stores: Record<Party, ReturnType<typeof memoryStore>>;
  calls: string[];
  faults: Fault[];
  seen?: (line: string, body: string) => void;
  pause?: () => Promise<void>;
}

/** Starts the sandboxes; closed after the file's last test. */
export async function sandboxPeer(): Promise<SandboxPeer> {
  const stores = Object.fromEntries(
    Object.keys(PARTIES).map((party) => [party, memoryStore()]),
  ) as SandboxPeer["stores"];
  const peer: SandboxPeer = { url: "", env: {}, stores, calls: [], faults: [] };
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

async function respond(req: IncomingMessage, res: ServerResponse, peer: SandboxPeer): Promise<void> {
  const body = await text(req);
  const { pathname, searchParams } = new URL(req.url!, "http://sandbox");
  const [, party, path] = /^\/(\w+)(\/.*)$/.exec(pathname)!;
  const line = `${req.method} ${pathname}`;
  const mount: Mount = {
    store: (name) => peer.stores[name],
    failure: async () => {
      peer.calls.push(line);
      const scripted = takeFault(peer.faults, line);
      return typeof scripted === "function"
        ? scripted(() => PARTIES[party as Party](call, peer.stores[party as Party], Date.now()))
        : scripted;
    },
    seen: async ({ failure }) => {
      if (failure) return;
      peer.seen?.(line, call.body);
      await peer.pause?.();
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
  await play(party as Party, call, { mount, res });
}

function takeFault(faults: Fault[], line: string): Fault["instead"] | undefined {
  const fault = faults.find(({ match }) => match.test(line));
  if (!fault) return undefined;
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
  return fault.instead;
}

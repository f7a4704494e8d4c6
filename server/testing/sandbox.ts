import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { encoded, memoryStore, type SandboxAnswer } from "@/server/sandbox/kit";
import { PARTIES, type Party } from "@/server/sandbox/parties";

/** What happens instead of the answer, to the next calls that match. */
interface Fault {
  match: RegExp;
  times?: number;
  instead: "reset" | "commit_then_reset" | "hang" | "huge" | "html" | "drip" | SandboxAnswer;
}

/** The sandboxes of all parties on one port of loopback. */
export interface SandboxPeer {
  url: string;
  env: Record<string, string>;
  /** What each party remembers. */
  stores: Record<Party, ReturnType<typeof memoryStore>>;
  /** Method and path of every call, in order. */
  calls: string[];
  faults: Fault[];
  /** Sees every call that a sandbox performed, with its body. */
  seen?: (line: string, body: string) => void;
  /** Waits before each answer, when given. */
  pause?: () => Promise<void>;
}

/** Opens the sandboxes; gone after the file's last test. */
export async function sandboxPeer(): Promise<SandboxPeer> {
  const stores = Object.fromEntries(
    Object.keys(PARTIES).map((party) => [party, memoryStore()]),
  ) as SandboxPeer["stores"];
  const peer: SandboxPeer = { url: "", env: {}, stores, calls: [], faults: [] };
  const server = createServer((req, res) => void respond(req, res, peer));
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
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(req.url!, "http://sandbox");
  const [, party, path] = /^\/(\w+)(\/.*)$/.exec(pathname)!;
  const line = `${req.method} ${pathname}`;
  peer.calls.push(line);
  const fault = peer.faults.find(({ match }) => match.test(line));
  if (fault) {
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) peer.faults.splice(peer.faults.indexOf(fault), 1);
  }
  if (fault?.instead === "reset") return void req.socket.destroy();
  if (fault?.instead === "hang") return;
  if (fault?.instead === "huge") return void res.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024, "x"));
  if (fault?.instead === "html") return void res.writeHead(200).end("<!doctype html><p>Welcome</p>");
  if (fault?.instead === "drip") {
    res.writeHead(200);
    const drops = setInterval(() => res.write(" "), 200);
    res.on("close", () => clearInterval(drops));
    return;
  }
  if (typeof fault?.instead === "object") return send(res, fault.instead);
  const found = await PARTIES[party as Party](
    {
      method: req.method!,
      path: path!,
      query: searchParams,
      header: (name) => req.headers[name] as string | undefined,
      body: Buffer.concat(chunks).toString(),
      base: `${peer.url}/${party}`,
    },
    peer.stores[party as Party],
    Date.now(),
  );
  peer.seen?.(line, Buffer.concat(chunks).toString());
  if (fault?.instead === "commit_then_reset") return void req.socket.destroy();
  await peer.pause?.();
  send(res, found);
}

function send(res: ServerResponse, answer: SandboxAnswer): void {
  const { type, bytes } = encoded(answer);
  res.writeHead(answer.status, { "content-type": type }).end(answer.status === 204 ? undefined : bytes);
}

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { Agent, request } from "undici";
import { env } from "@/server/core/env";
import { kept } from "@/server/core/kept";
import { SECOND } from "@/server/core/time";
import { isPublicAddress } from "@/server/infrastructure/mail/address";
import { type Piece, tellTrace, traced, traceparent } from "../tracing/trace";
import { Breaker } from "./breaker";
import { OutboundError } from "./outbound-error";
import { readBytes } from "./service";

export { OutboundError } from "./outbound-error";

export interface OutboundRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Milliseconds until the whole answer must be there: 10 s unless told. */
  timeout?: number;
  /** Addresses of the host, where the caller has looked it up; they must be public all the same. */
  addresses?: string[];
  /** The most that is read of the answer: 1 MB unless told. */
  maxBytes?: number;
  /** Our own address, as the settings name it: wherever it leads, and encrypted or not. */
  own?: boolean;
  /** Private addresses as well, where the settings of a closed installation allow them. */
  anyHost?: boolean;
  /** Without the breaker: the caller has a patience of its own, and hosts that many customers share. */
  unguarded?: boolean;
  /** Only the status counts: a little of the content is read and dropped. */
  statusOnly?: boolean;
}

export interface OutboundAnswer {
  status: number;
  /** The header of that name: when the caller may come again. */
  retryAfter: string | undefined;
  /** Target of a redirect. */
  location: string | undefined;
  bytes: Buffer;
  text: string;
}

/** The most that is read of an answer, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** What is read of an answer whose content nobody wants, so that its sender sees it accepted. */
const DROPPED = 64 * 1024;
const TIMEOUT = 10 * SECOND;
/** Ports that web servers listen on; no others can be reached through us. */
const PORTS = new Set(["", "443", "8080", "8443"]);

const breaker = kept(() => new Breaker());

/**
 * The one way out to addresses that customers or settings name: https, one of a few ports, a host whose every address
 * is public, looked up once and connected to by that very address, no redirects, at most 10 s and 1 MB unless told otherwise. A host that
 * failed five times is left alone for half a minute. Throws {@link OutboundError}.
 */
export async function outbound(call: OutboundRequest): Promise<OutboundAnswer> {
  const url = addressOf(call.url, call.own);
  const signal = AbortSignal.timeout(call.timeout ?? TIMEOUT);
  const server = await resolved(url, call, signal);
  const ask = () => traced(pieceOf(url, call), () => answerOf(url, server, call, signal));
  return call.unguarded ? ask() : breaker().guard(serverOf(url), ask);
}

/** Paths and queries of other parties may carry keys. */
function pieceOf({ host }: URL, { method }: OutboundRequest): Piece {
  const facts = { "server.address": host, "http.request.method": method };
  return { name: `${method} ${host}`, kind: "client", facts };
}

/** Whether a customer may name this address at all; where its host leads to shows at the call. */
export function isOutboundAddress(text: string): boolean {
  try {
    addressOf(text);
    return true;
  } catch {
    return false;
  }
}

/** Where a call would go: the address that it may name, and that of its server. Throws {@link OutboundError}. */
export async function pinned(call: Omit<OutboundRequest, "method">): Promise<Pinned & { url: URL }> {
  const url = addressOf(call.url, call.own);
  return { url, ...(await resolved(url, call, AbortSignal.timeout(call.timeout ?? TIMEOUT))) };
}

function addressOf(text: string, own = false): URL {
  const url = URL.parse(text) ?? undefined;
  if (!url || url.username || url.password) throw new OutboundError("bad_address");
  if (isTrusted(url) || (own && isOurs(url))) return url;
  if (url.protocol !== "https:" || !PORTS.has(url.port)) throw new OutboundError("bad_address");
  return url;
}

function isOurs({ origin }: URL): boolean {
  return origin === new URL(env().APP_URL).origin;
}

/** Sandboxes: those of demo mode at our own front door, and those that tests open. */
export function isTrusted(url: URL): boolean {
  const { production, APP_URL, OUTBOUND_TRUSTED } = env();
  if (production || !/^https?:$/.test(url.protocol)) return false;
  const own = url.origin === new URL(APP_URL).origin && url.pathname.startsWith("/dev/sandbox/");
  return own || OUTBOUND_TRUSTED.includes(url.origin);
}

/** What fails as one: a host, and of demo mode's own each party's sandbox. */
function serverOf({ host, pathname }: URL): string {
  return `${host}${/^\/dev\/sandbox\/\w+/.exec(pathname) ?? ""}`;
}

interface Pinned {
  address: string;
  family: number;
}

async function resolved(
  url: URL,
  { addresses, own, anyHost }: Omit<OutboundRequest, "method">,
  signal: AbortSignal,
): Promise<Pinned> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const known = isIP(host) ? [host] : addresses;
  const found =
    known?.map((address) => ({ address, family: isIP(address) })) ?? (await lookedUp(host, signal));
  if (found.length === 0) throw new OutboundError("unresolved");
  const anywhere = anyHost || isTrusted(url) || (own && isOurs(url));
  if (!anywhere && !found.every(({ address }) => isPublicAddress(address)))
    throw new OutboundError("refused_address");
  return found[0]!;
}

async function lookedUp(host: string, signal: AbortSignal): Promise<Pinned[]> {
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(new OutboundError("timeout")), { once: true }),
  );
  const found = await Promise.race([
    lookup(host, { all: true, verbatim: false }).catch((cause: unknown) => {
      throw new OutboundError("unresolved", cause);
    }),
    late,
  ]);
  if (found.length === 0) throw new OutboundError("unresolved");
  return found;
}

/** For so long a connection waits for the next call to its server. */
const KEPT = 2 * SECOND;
/** Servers whose connections are kept; the one that was called longest ago goes first. */
const SERVERS_MAX = 200;

const agents = kept(() => new Map<string, Agent>());

/**
 * The connections to a server at one of its addresses. Where its name leads elsewhere by now there are others: no call
 * finds a connection to an address that was not checked for it.
 */
function agentOf({ origin }: URL, { address, family }: Pinned): Agent {
  const key = `${origin} ${address}`;
  const agent =
    agents().get(key) ??
    new Agent({
      keepAliveTimeout: KEPT,
      keepAliveMaxTimeout: KEPT,
      connect: {
        lookup: (_host, options, found) =>
          options.all ? found(null, [{ address, family }]) : found(null, address, family),
      },
    });
  agents().delete(key);
  agents().set(key, agent);
  const [oldest, unused] = agents().entries().next().value!;
  if (agents().size > SERVERS_MAX && agents().delete(oldest)) void unused.close();
  return agent;
}

async function answerOf(
  url: URL,
  server: Pinned,
  { method, headers, body, own, maxBytes = MAX_BYTES, statusOnly }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  try {
    // Others learn nothing of our traces.
    const cause = own || isOurs(url) ? traceparent() : undefined;
    const response = await request(url, {
      method,
      headers: cause ? { ...headers, traceparent: cause } : headers,
      body,
      signal,
      dispatcher: agentOf(url, server),
    });
    const status = response.statusCode;
    tellTrace(`${method} ${url.host}`, { "http.response.status_code": status });
    const [retryAfter, location] = [first(response.headers["retry-after"]), first(response.headers.location)];
    if (statusOnly) {
      await response.body.dump({ limit: DROPPED, signal: AbortSignal.timeout(SECOND) }).catch(() => {});
      return { status, retryAfter, location, bytes: Buffer.alloc(0), text: "" };
    }
    const bytes = await readBytes(response.body, maxBytes);
    return { status, retryAfter, location, bytes, text: bytes.toString("utf8") };
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError(signal.aborted ? "timeout" : "unreachable", error);
  }
}

const first = (header: string | string[] | undefined) => [header].flat()[0];

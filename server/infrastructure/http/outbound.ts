import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { Agent, request } from "undici";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { SECOND } from "@/server/core/time";
import { isPublicAddress } from "@/server/infrastructure/mail/address";
import { type SpanSpec, traceparent, updateSpan, withSpan } from "../tracing/trace";
import { Breaker } from "./breaker";
import { OutboundError } from "./outbound-error";
import { readBytes } from "./service";

export { OutboundError } from "./outbound-error";

export interface OutboundRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Milliseconds for the complete response; default 10 s. */
  timeout?: number;
  /** Resolved addresses of the host; must be public, too. */
  addresses?: string[];
  /** Maximum size of the response; default 1 MiB. */
  maxBytes?: number;
  /** Allows APP_URL itself, even if it is private or unencrypted. */
  allowsOwnUrl?: boolean;
  /** Allows private addresses, if the settings permit them. */
  allowsPrivateHosts?: boolean;
  /** Bypasses the circuit breaker, for callers that retry on their own or hosts shared by many customers. */
  withoutBreaker?: boolean;
  statusOnly?: boolean;
}

export interface OutboundResponse {
  status: number;
  retryAfter: string | undefined;
  location: string | undefined;
  bytes: Buffer;
  text: string;
}

const MAX_BYTES = 1024 * 1024;
/** Bytes to read of a discarded body, so that the server sees the response as delivered. */
const DISCARD_MAX = 64 * 1024;
const TIMEOUT = 10 * SECOND;
const PORTS = new Set(["", "443", "8080", "8443"]);

const breaker = lazyValue(() => new Breaker());

/**
 * Calls a URL that customers or settings name, protected against SSRF: https on a few ports, all resolved
 * addresses public, connects to the checked address, follows no redirects. Uses a circuit breaker. Throws
 * {@link OutboundError}.
 */
export async function outbound(call: OutboundRequest): Promise<OutboundResponse> {
  const url = addressOf(call.url, call.allowsOwnUrl);
  const signal = AbortSignal.timeout(call.timeout ?? TIMEOUT);
  const server = await resolved(url, call, signal);
  const send = () => withSpan(pieceOf(url, call), () => fetchResponse(url, server, call, signal));
  return call.withoutBreaker ? send() : breaker().guard(serverOf(url), send);
}

/** Without path and query, which may contain keys. */
function pieceOf({ host }: URL, { method }: OutboundRequest): SpanSpec {
  const facts = { "server.address": host, "http.request.method": method };
  return { name: `${method} ${host}`, kind: "client", attributes: facts };
}

/** Tests whether a URL is allowed; the host's addresses are checked on each call. */
export function isOutboundAddress(text: string): boolean {
  try {
    addressOf(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the checked URL and server address of a call. Throws {@link OutboundError}. */
export async function resolveTarget(call: Omit<OutboundRequest, "method">): Promise<Pinned & { url: URL }> {
  const url = addressOf(call.url, call.allowsOwnUrl);
  return { url, ...(await resolved(url, call, AbortSignal.timeout(call.timeout ?? TIMEOUT))) };
}

function addressOf(text: string, own = false): URL {
  const url = URL.parse(text) ?? undefined;
  if (!url || url.username || url.password) throw new OutboundError("bad_address");
  if (isSandboxUrl(url) || (own && isOurs(url))) return url;
  if (url.protocol !== "https:" || !PORTS.has(url.port)) throw new OutboundError("bad_address");
  return url;
}

function isOurs({ origin }: URL): boolean {
  return origin === new URL(env().APP_URL).origin;
}

/** Tests for a sandbox: of demo mode on this server, or of tests. */
export function isSandboxUrl(url: URL): boolean {
  const { production, APP_URL, OUTBOUND_TRUSTED } = env();
  if (production || !/^https?:$/.test(url.protocol)) return false;
  const own = url.origin === new URL(APP_URL).origin && url.pathname.startsWith("/dev/sandbox/");
  return own || OUTBOUND_TRUSTED.includes(url.origin);
}

/** Key for the circuit breaker: the host, or a single sandbox. */
function serverOf({ host, pathname }: URL): string {
  return `${host}${/^\/dev\/sandbox\/\w+/.exec(pathname) ?? ""}`;
}

interface Pinned {
  address: string;
  family: number;
}

async function resolved(
  url: URL,
  { addresses, allowsOwnUrl, allowsPrivateHosts }: Omit<OutboundRequest, "method">,
  signal: AbortSignal,
): Promise<Pinned> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const literals = isIP(host) ? [host] : addresses;
  const targets =
    literals?.map((address) => ({ address, family: isIP(address) })) ?? (await resolveWithin(host, signal));
  if (targets.length === 0) throw new OutboundError("unresolved");
  const allowsPrivate = allowsPrivateHosts || isSandboxUrl(url) || (allowsOwnUrl && isOurs(url));
  if (!allowsPrivate && !targets.every(({ address }) => isPublicAddress(address)))
    throw new OutboundError("refused_address");
  return targets[0]!;
}

async function resolveWithin(host: string, signal: AbortSignal): Promise<Pinned[]> {
  const timeout = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(new OutboundError("timeout")), { once: true }),
  );
  const targets = await Promise.race([
    lookup(host, { all: true, verbatim: false }).catch((cause: unknown) => {
      throw new OutboundError("unresolved", cause);
    }),
    timeout,
  ]);
  if (targets.length === 0) throw new OutboundError("unresolved");
  return targets;
}

const KEEP_ALIVE = 2 * SECOND;
const AGENTS_MAX = 200;

const agents = lazyValue(() => new Map<string, Agent>());

/** Never reuses a connection for another address of the same name. */
function agentOf({ origin }: URL, { address, family }: Pinned): Agent {
  const key = `${origin} ${address}`;
  const agent =
    agents().get(key) ??
    new Agent({
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
      connect: {
        lookup: (_host, options, callback) =>
          options.all ? callback(null, [{ address, family }]) : callback(null, address, family),
      },
    });
  agents().delete(key);
  agents().set(key, agent);
  const [oldest, unused] = agents().entries().next().value!;
  if (agents().size > AGENTS_MAX && agents().delete(oldest)) void unused.close();
  return agent;
}

async function fetchResponse(
  url: URL,
  server: Pinned,
  { method, headers, body, allowsOwnUrl, maxBytes = MAX_BYTES, statusOnly }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  try {
    // Trace ids are sent to our own server only.
    const parent = allowsOwnUrl || isOurs(url) ? traceparent() : undefined;
    const response = await request(url, {
      method,
      headers: parent ? { ...headers, traceparent: parent } : headers,
      body,
      signal,
      dispatcher: agentOf(url, server),
    });
    const status = response.statusCode;
    updateSpan(`${method} ${url.host}`, { "http.response.status_code": status });
    const [retryAfter, location] = [first(response.headers["retry-after"]), first(response.headers.location)];
    if (statusOnly) {
      await response.body.dump({ limit: DISCARD_MAX, signal: AbortSignal.timeout(SECOND) }).catch(() => {});
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

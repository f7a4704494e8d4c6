import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { Agent, request } from "undici";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { SECOND } from "@/server/core/time";
import { isPublicAddress } from "@/server/infrastructure/mail/resolve-host";
import { getTraceparent, type SpanSpec, updateSpan, withSpan } from "../tracing/trace";
import { readBodyBytes } from "./call-service";
import { CircuitBreaker } from "./circuit-breaker";
import { OutboundError } from "./outbound-error";

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
  bypassesBreaker?: boolean;
  /** Discards the response body; `bytes` and `text` are empty. */
  statusOnly?: boolean;
}

export interface OutboundResponse {
  status: number;
  retryAfter: string | undefined;
  location: string | undefined;
  bytes: Buffer;
  text: string;
}

const DEFAULT_MAX_BYTES = 1024 * 1024;
/** Bytes to read of a discarded body, so that the server sees the response as delivered. */
const MAX_DISCARDED_BYTES = 64 * 1024;
const DEFAULT_TIMEOUT_MS = 10 * SECOND;
const ALLOWED_PORTS = new Set(["", "443", "8080", "8443"]);

const breaker = lazyValue(() => new CircuitBreaker());

/**
 * Calls a URL that customers or settings name, protected against SSRF: https on few ports, public addresses,
 * connects to the checked address, follows no redirects. Throws {@link OutboundError}.
 */
export async function callOutbound(call: OutboundRequest): Promise<OutboundResponse> {
  const url = parseAllowedUrl(call.url, call.allowsOwnUrl);
  const signal = AbortSignal.timeout(call.timeout ?? DEFAULT_TIMEOUT_MS);
  const serverAddress = await resolveServer(url, call, signal);
  const send = () => withSpan(toSpanSpec(url, call), () => fetchResponse(url, serverAddress, call, signal));
  return call.bypassesBreaker ? send() : breaker().guard(toBreakerKey(url), send);
}

/** Describes a call for a trace, without path and query, which may contain keys. */
function toSpanSpec({ host }: URL, { method }: OutboundRequest): SpanSpec {
  const attributes = { "server.address": host, "http.request.method": method };
  return { name: `${method} ${host}`, kind: "client", attributes };
}

/** Tests whether a URL is allowed; the host's addresses are checked on each call. */
export function isAllowedOutboundUrl(text: string): boolean {
  try {
    parseAllowedUrl(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the checked URL and server address of a call. Throws {@link OutboundError}. */
export async function resolveOutboundTarget(
  call: Omit<OutboundRequest, "method">,
): Promise<ServerAddress & { url: URL }> {
  const url = parseAllowedUrl(call.url, call.allowsOwnUrl);
  return {
    url,
    ...(await resolveServer(url, call, AbortSignal.timeout(call.timeout ?? DEFAULT_TIMEOUT_MS))),
  };
}

function parseAllowedUrl(text: string, allowsOwnUrl = false): URL {
  const url = URL.parse(text) ?? undefined;
  if (!url || url.username || url.password) throw new OutboundError("bad_address");
  if (isSandboxUrl(url) || (allowsOwnUrl && isOwnUrl(url))) return url;
  if (url.protocol !== "https:" || !ALLOWED_PORTS.has(url.port)) throw new OutboundError("bad_address");
  return url;
}

function isOwnUrl({ origin }: URL): boolean {
  return origin === new URL(env().APP_URL).origin;
}

/** Tests for a sandbox: of demo mode on this server, or of tests. */
export function isSandboxUrl(url: URL): boolean {
  const { production, APP_URL, OUTBOUND_TRUSTED } = env();
  if (production || !/^https?:$/.test(url.protocol)) return false;
  const isOwnSandbox = url.origin === new URL(APP_URL).origin && url.pathname.startsWith("/dev/sandbox/");
  return isOwnSandbox || OUTBOUND_TRUSTED.includes(url.origin);
}

function toBreakerKey({ host, pathname }: URL): string {
  return `${host}${/^\/dev\/sandbox\/\w+/.exec(pathname) ?? ""}`;
}

interface ServerAddress {
  address: string;
  family: number;
}

async function resolveServer(
  url: URL,
  { addresses, allowsOwnUrl, allowsPrivateHosts }: Omit<OutboundRequest, "method">,
  signal: AbortSignal,
): Promise<ServerAddress> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const knownAddresses = isIP(host) ? [host] : addresses;
  const targets =
    knownAddresses?.map((address) => ({ address, family: isIP(address) })) ??
    (await resolveHostWithin(host, signal));
  if (targets.length === 0) throw new OutboundError("unresolved");
  const allowsPrivate = allowsPrivateHosts || isSandboxUrl(url) || (allowsOwnUrl && isOwnUrl(url));
  if (!allowsPrivate && !targets.every(({ address }) => isPublicAddress(address)))
    throw new OutboundError("refused_address");
  return targets[0]!;
}

async function resolveHostWithin(host: string, signal: AbortSignal): Promise<ServerAddress[]> {
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

const KEEP_ALIVE_MS = 2 * SECOND;
const MAX_AGENTS = 200;

const agents = lazyValue(() => new Map<string, Agent>());

/** Returns the agent of an origin and address: a connection is never reused for another address. */
function getAgent({ origin }: URL, { address, family }: ServerAddress): Agent {
  const agentKey = `${origin} ${address}`;
  const agent =
    agents().get(agentKey) ??
    new Agent({
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      connect: {
        lookup: (_host, options, callback) =>
          options.all ? callback(null, [{ address, family }]) : callback(null, address, family),
      },
    });
  agents().delete(agentKey);
  agents().set(agentKey, agent);
  const [oldestKey, oldestAgent] = agents().entries().next().value!;
  if (agents().size > MAX_AGENTS && agents().delete(oldestKey)) void oldestAgent.close();
  return agent;
}

async function fetchResponse(
  url: URL,
  serverAddress: ServerAddress,
  { method, headers, body, allowsOwnUrl, maxBytes = DEFAULT_MAX_BYTES, statusOnly }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  try {
    // Trace ids are sent to our own server only.
    const traceparent = allowsOwnUrl || isOwnUrl(url) ? getTraceparent() : undefined;
    const response = await request(url, {
      method,
      headers: traceparent ? { ...headers, traceparent } : headers,
      body,
      signal,
      dispatcher: getAgent(url, serverAddress),
    });
    const status = response.statusCode;
    updateSpan(`${method} ${url.host}`, { "http.response.status_code": status });
    const [retryAfter, location] = [
      getFirstHeader(response.headers["retry-after"]),
      getFirstHeader(response.headers.location),
    ];
    if (statusOnly) {
      await response.body
        .dump({ limit: MAX_DISCARDED_BYTES, signal: AbortSignal.timeout(SECOND) })
        .catch(() => {});
      return { status, retryAfter, location, bytes: Buffer.alloc(0), text: "" };
    }
    const bytes = await readBodyBytes(response.body, maxBytes);
    return { status, retryAfter, location, bytes, text: bytes.toString("utf8") };
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError(signal.aborted ? "timeout" : "unreachable", error);
  }
}

const getFirstHeader = (header: string | string[] | undefined) => [header].flat()[0];

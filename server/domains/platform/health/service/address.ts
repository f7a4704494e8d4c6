import { createHmac, randomUUID } from "node:crypto";
import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";
import { createDnsResolver } from "@/server/infrastructure/dns-resolver";
import { classifyConnectionFailure } from "@/server/infrastructure/http/failure-class";
import { callOutbound, OutboundError, type OutboundResponse } from "@/server/infrastructure/http/outbound";
import { deriveKeys } from "@/server/infrastructure/secrets/derive";
import type { getEcho } from "../contract";
import type { Fix, PartState } from "./part-state";

const ECHO_TIMEOUT_MS = 4 * SECOND;

const ECHO_KEY_PURPOSE = "self-check";
const computeProofs = (nonce: string) =>
  deriveKeys(ECHO_KEY_PURPOSE).map((key) =>
    createHmac("sha256", key).update(nonce).digest("hex").slice(0, 32),
  );

/** Proves that the request reached this installation; returns the number of proxies it passed. */
export async function answerEcho(
  { forwardedHops = 0 }: Pick<Context, "forwardedHops">,
  { query }: Input<typeof getEcho>,
): Promise<Output<typeof getEcho>> {
  return { proof: computeProofs(query.nonce)[0]!, forwarded: forwardedHops };
}

/** Result of a request to our public URL: the number of proxies it passed, or the failure. */
export type ReachResult = { forwarded: number } | { fix: Fix; code: string; cause?: unknown };

export async function reachOwnUrl(): Promise<ReachResult> {
  const nonce = randomUUID().replaceAll("-", "");
  const url = `${env().APP_URL}/api/health/echo?nonce=${nonce}`;
  try {
    // Without circuit breaker: it would hide the reason after five failures.
    const response = await callOutbound({
      method: "GET",
      url,
      allowsOwnUrl: true,
      timeout: ECHO_TIMEOUT_MS,
      bypassesBreaker: true,
    });
    const forwarded = readProxyCount(response, nonce);
    return forwarded === undefined
      ? { ...classifyResponse(response), code: `HTTP ${response.status}` }
      : { forwarded };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return toReachFailure(error);
  }
}

export function toAddressState(result: ReachResult): PartState {
  const url = env().APP_URL;
  if ("forwarded" in result) return { light: "green", value: url };
  const { fix, code, cause } = result;
  return { light: "red", value: url, code, cause, fix: { ...fix, params: { url, ...fix.params } } };
}

function readProxyCount({ text }: OutboundResponse, nonce: string): number | undefined {
  try {
    const { proof, forwarded } = JSON.parse(text) as { proof?: unknown; forwarded?: unknown };
    return computeProofs(nonce).includes(String(proof)) ? Number(forwarded) : undefined;
  } catch {
    return undefined;
  }
}

/** 502 to 504 come from a proxy without its server, 520 to 530 from Cloudflare. */
const isGatewayStatus = (status: number) =>
  (status >= 502 && status <= 504) || (status >= 520 && status <= 530);

function classifyResponse({ status, location }: OutboundResponse): { fix: Fix } {
  const toFixResult = (key: string): { fix: Fix } => ({ fix: { key, params: { status } } });
  if (status >= 300 && status < 400 && location) return { fix: explainRedirect(location) };
  if (isGatewayStatus(status)) return toFixResult("gateway");
  if (status === 401 || status === 403 || status === 407) return toFixResult("denied");
  if (status === 421) return toFixResult("misdirected");
  return status < 300 || status === 404 || status === 410
    ? toFixResult("addressOther")
    : toFixResult("addressStatus");
}

function explainRedirect(location: string): Fix {
  const from = new URL("/api/health/echo", env().APP_URL);
  const to = URL.parse(location, from);
  const params = { to: to?.origin ?? location.slice(0, 200) };
  if (to?.hostname !== from.hostname) return { key: "redirectElsewhere", params };
  if (to.protocol !== from.protocol) return { key: "redirectProtocol", params };
  const key = to.pathname === from.pathname ? "redirectLoop" : "redirectElsewhere";
  return { key, params: { to: to.origin + to.pathname } };
}

async function toReachFailure(error: OutboundError): Promise<ReachResult> {
  const { reason, code, names } = classifyConnectionFailure(error);
  const hasNoAddress = reason === "noName" && (await lacksAddress(new URL(env().APP_URL).hostname));
  return {
    fix: { key: hasNoAddress ? "noAddress" : (reason ?? "address"), params: { names: names.join(", ") } },
    code: hasNoAddress ? "ENODATA" : (code ?? error.reason),
    cause: error,
  };
}

/** True when the name exists without an address. The system's look-up reports ENOTFOUND in both cases. */
async function lacksAddress(host: string): Promise<boolean> {
  const lookUps = await Promise.allSettled([
    createDnsResolver().resolve4(host),
    createDnsResolver().resolve6(host),
  ]);
  return lookUps.every((each) => each.status === "rejected" && each.reason?.code === "ENODATA");
}

import { createHmac, randomUUID } from "node:crypto";
import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";
import { classifyFailure } from "@/server/infrastructure/http/failure-class";
import { OutboundError, type OutboundResponse, outbound } from "@/server/infrastructure/http/outbound";
import { resolver } from "@/server/infrastructure/resolver";
import { derivedKeys } from "@/server/infrastructure/secrets/derive";
import type { getEcho } from "../contract";
import type { Fix, PartState } from "./part-state";

const TIMEOUT = 4 * SECOND;

const PURPOSE = "self-check";
const proofs = (nonce: string) =>
  derivedKeys(PURPOSE).map((key) => createHmac("sha256", key).update(nonce).digest("hex").slice(0, 32));

/** Proves that the request reached this installation; returns the number of proxies it passed. */
export async function echo(
  { forwardedHops = 0 }: Pick<Context, "forwardedHops">,
  { query }: Input<typeof getEcho>,
): Promise<Output<typeof getEcho>> {
  return { proof: proofs(query.nonce)[0]!, forwarded: forwardedHops };
}

/** Result of a request to our public URL: the number of proxies it passed, or the failure. */
export type ReachResult = { forwarded: number } | { fix: Fix; code: string; cause?: unknown };

export async function reachOurselves(): Promise<ReachResult> {
  const nonce = randomUUID().replaceAll("-", "");
  const url = `${env().APP_URL}/api/health/echo?nonce=${nonce}`;
  try {
    // Without circuit breaker: it would hide the reason after five failures.
    const response = await outbound({
      method: "GET",
      url,
      allowsOwnUrl: true,
      timeout: TIMEOUT,
      withoutBreaker: true,
    });
    const forwarded = forwardedBy(response, nonce);
    return forwarded === undefined
      ? { ...classifyResponse(response), code: `HTTP ${response.status}` }
      : { forwarded };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return failureOf(error);
  }
}

export function addressState(reached: ReachResult): PartState {
  const url = env().APP_URL;
  if ("forwarded" in reached) return { light: "green", value: url };
  const { fix, code, cause } = reached;
  return { light: "red", value: url, code, cause, fix: { ...fix, params: { url, ...fix.params } } };
}

function forwardedBy({ text }: OutboundResponse, nonce: string): number | undefined {
  try {
    const { proof, forwarded } = JSON.parse(text) as { proof?: unknown; forwarded?: unknown };
    return proofs(nonce).includes(String(proof)) ? Number(forwarded) : undefined;
  } catch {
    return undefined;
  }
}

/** 502 to 504 come from a proxy without its server, 520 to 530 from Cloudflare. */
const isGateway = (status: number) => (status >= 502 && status <= 504) || (status >= 520 && status <= 530);

function classifyResponse({ status, location }: OutboundResponse): { fix: Fix } {
  const fix = (key: string): { fix: Fix } => ({ fix: { key, params: { status } } });
  if (status >= 300 && status < 400 && location) return { fix: redirect(location) };
  if (isGateway(status)) return fix("gateway");
  if (status === 401 || status === 403 || status === 407) return fix("denied");
  if (status === 421) return fix("misdirected");
  return status < 300 || status === 404 || status === 410 ? fix("addressOther") : fix("addressStatus");
}

function redirect(location: string): Fix {
  const from = new URL("/api/health/echo", env().APP_URL);
  const to = URL.parse(location, from);
  const params = { to: to?.origin ?? location.slice(0, 200) };
  if (to?.hostname !== from.hostname) return { key: "redirectElsewhere", params };
  if (to.protocol !== from.protocol) return { key: "redirectProtocol", params };
  const key = to.pathname === from.pathname ? "redirectLoop" : "redirectElsewhere";
  return { key, params: { to: to.origin + to.pathname } };
}

async function failureOf(error: OutboundError): Promise<ReachResult> {
  const { reason, code, names } = classifyFailure(error);
  const hasNoAddress = reason === "noName" && (await lacksAddress(new URL(env().APP_URL).hostname));
  return {
    fix: { key: hasNoAddress ? "noAddress" : (reason ?? "address"), params: { names: names.join(", ") } },
    code: hasNoAddress ? "ENODATA" : (code ?? error.reason),
    cause: error,
  };
}

/** True when the name exists without an address. The system's look-up reports ENOTFOUND in both cases. */
async function lacksAddress(host: string): Promise<boolean> {
  const lookUps = await Promise.allSettled([resolver().resolve4(host), resolver().resolve6(host)]);
  return lookUps.every((each) => each.status === "rejected" && each.reason?.code === "ENODATA");
}

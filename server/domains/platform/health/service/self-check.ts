import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { Context } from "@/server/core/context";
import { env } from "@/server/core/env";
import { MINUTE, SECOND } from "@/server/core/time";
import { MIN_POSTGRES_MAJOR } from "@/server/infrastructure/database/preflight";
import { classifyMailFailure, getSystemTransport } from "@/server/infrastructure/mail/smtp";
import { storage } from "@/server/infrastructure/storage/storage";
import type { HealthRow } from "../contract";
import { pingDatabase, readDatabaseInfo } from "../statements";
import { type ReachResult, reachOwnUrl, toAddressState } from "./address";
import { checkOwnCertificate } from "./certificates";
import type { QueryContext } from "./check";
import { checkParts, type PartCheck, type PartState, toUnmeasuredState } from "./part-state";

/** With a larger difference, authenticator codes and expiry times fail. */
const CLOCK_DIFFERENCE_MAX_MS = 30 * SECOND;

export function runSelfChecks(
  ctx: QueryContext & Pick<Context, "locale">,
  browserTime: string | null | undefined,
): Promise<HealthRow[]> {
  return checkParts(ctx.locale, buildSelfChecks(ctx, browserTime));
}

export function buildSelfChecks(
  ctx: QueryContext,
  browserTime: string | null | undefined,
): Record<string, PartCheck> {
  const reachResult = reachOwnUrl();
  return {
    address: async () => toAddressState(await reachResult),
    https: checkHttps,
    certificate: checkOwnCertificate,
    browser_clock: async () => (browserTime ? checkBrowserClock(new Date(browserTime)) : undefined),
    database: () => checkDatabase(ctx),
    outgoing_mail: checkOutgoingMail,
    storage: checkStorage,
    passkeys: checkPasskeys,
    proxies: async () => checkProxies(await reachResult),
  };
}

async function checkHttps(): Promise<PartState> {
  const { usesHttps, APP_URL } = env();
  if (usesHttps) return { light: "green", value: { key: "encrypted" } };
  const isLocal = /^(localhost|127\.|\[::1\])/.test(new URL(APP_URL).host);
  return { light: isLocal ? "yellow" : "red", value: { key: "unencrypted" }, fix: { key: "https" } };
}

function checkBrowserClock(browserTime: Date): PartState {
  const differenceMs = browserTime.getTime() - Date.now();
  const value = { key: "seconds", params: { seconds: Math.round(Math.abs(differenceMs) / SECOND) } };
  if (Math.abs(differenceMs) <= CLOCK_DIFFERENCE_MAX_MS) return { light: "green", value };
  return {
    light: Math.abs(differenceMs) > 5 * MINUTE ? "red" : "yellow",
    value,
    fix: { key: "browser_clock" },
  };
}

async function checkDatabase(ctx: QueryContext): Promise<PartState> {
  const startedAt = performance.now();
  await pingDatabase(ctx);
  const durationMs = Math.round(performance.now() - startedAt);
  const [info] = await readDatabaseInfo(ctx);
  const { version, at } = info!;
  const versionText = `${Math.floor(version / 10_000)}.${version % 10_000}`;
  const value = `PostgreSQL ${versionText}, ${durationMs} ms`;
  if (version < MIN_POSTGRES_MAJOR * 10_000)
    return { light: "red", value, fix: { key: "databaseOld", params: { oldest: MIN_POSTGRES_MAJOR } } };
  const differenceMs = Math.abs(at.getTime() - Date.now());
  if (differenceMs > CLOCK_DIFFERENCE_MAX_MS)
    return {
      light: "red",
      value,
      fix: { key: "databaseClock", params: { seconds: Math.round(differenceMs / SECOND) } },
    };
  return { light: "green", value };
}

/** Connects, encrypts and signs in like a delivery, but sends no mail. */
async function checkOutgoingMail(): Promise<PartState> {
  const { SMTP_URL, production } = env();
  if (!SMTP_URL)
    return production
      ? { light: "red", value: { key: "notSet" }, fix: { key: "mailMissing" } }
      : { light: "green", value: { key: "mailbox" } };
  const { host } = new URL(SMTP_URL);
  try {
    await getSystemTransport().verify();
    return { light: "green", value: host };
  } catch (error) {
    const reason = classifyMailFailure(error);
    const key = reason === "auth" ? "mailAuth" : reason === "tls" ? "mailTls" : "outgoing_mail";
    return { light: "red", value: host, fix: { key } };
  }
}

async function checkStorage(): Promise<PartState> {
  const { s3, S3_BUCKET } = env();
  const content = randomUUID();
  const key = `checks/${content.replaceAll("-", "")}.txt`;
  const value = s3 ? `S3: ${S3_BUCKET}` : { key: "folder" };
  await storage().write(key, Readable.from([content]));
  try {
    const file = await storage().read(key);
    const storedText = file ? await readText(file.open()) : "";
    if (storedText !== content) return { light: "red", value, fix: { key: "storage" } };
  } finally {
    await storage().remove(key);
  }
  return { light: "green", value };
}

async function readText(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** Passkeys are bound to our host name permanently, and browsers accept no IP addresses. */
async function checkPasskeys(): Promise<PartState> {
  const { hostname } = new URL(env().APP_URL);
  return isIP(hostname.replace(/^\[|\]$/g, ""))
    ? { light: "yellow", value: hostname, fix: { key: "passkeys" } }
    : { light: "green", value: hostname };
}

/** Each proxy adds an address to our request to ourselves. TRUSTED_PROXY_HOPS must be their number. */
function checkProxies(reachResult: ReachResult): PartState {
  const { TRUSTED_PROXY_HOPS: hops } = env();
  const value = { key: "hops", params: { count: hops } };
  if (!("forwarded" in reachResult)) return toUnmeasuredState(value);
  const { forwarded: proxyCount } = reachResult;
  if (proxyCount === hops) return { light: "green", value };
  // `proxiesFew`: the setting is too low.
  const key = proxyCount > hops ? "proxiesFew" : "proxiesMany";
  return { light: "yellow", value, fix: { key, params: { found: proxyCount, hops } } };
}

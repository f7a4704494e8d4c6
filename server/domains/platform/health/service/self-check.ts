import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { Context } from "@/server/core/context";
import { env } from "@/server/core/env";
import { MINUTE, SECOND } from "@/server/core/time";
import { failureOf, systemTransport } from "@/server/infrastructure/mail/smtp";
import { storage } from "@/server/infrastructure/storage/storage";
import type { HealthRow } from "../contract";
import { ping, readDatabaseInfo } from "../statements";
import { addressState, type ReachResult, reachOurselves } from "./address";
import { certificate } from "./certificates";
import type { Work } from "./check";
import { checkParts, type PartCheck, type PartState, unmeasured } from "./part-state";

/** Minimum PostgreSQL version of the migrations. */
const OLDEST_DATABASE = 15;
/** Maximum clock difference; beyond it, authenticator codes and expiry times fail. */
const CLOCK_LIMIT = 30 * SECOND;
/** Checks the environment of the installation. `browserTime`: current time of the client. */
export function selfCheck(
  ctx: Work & Pick<Context, "locale">,
  browserTime: string | null | undefined,
): Promise<HealthRow[]> {
  return checkParts(ctx.locale, selfChecks(ctx, browserTime));
}

export function selfChecks(work: Work, browserTime: string | null | undefined): Record<string, PartCheck> {
  const reached = reachOurselves();
  return {
    address: async () => addressState(await reached),
    https,
    certificate,
    browser_clock: async () => (browserTime ? browserClock(new Date(browserTime)) : undefined),
    database: () => database(work),
    outgoing_mail: outgoingMail,
    storage: checkStorage,
    passkeys,
    proxies: async () => proxies(await reached),
  };
}

async function https(): Promise<PartState> {
  const { https: encrypted, APP_URL } = env();
  if (encrypted) return { light: "green", value: { key: "encrypted" } };
  const isLocal = /^(localhost|127\.|\[::1\])/.test(new URL(APP_URL).host);
  return { light: isLocal ? "yellow" : "red", value: { key: "unencrypted" }, fix: { key: "https" } };
}

function browserClock(browserTime: Date): PartState {
  const difference = browserTime.getTime() - Date.now();
  const value = { key: "seconds", params: { seconds: Math.round(Math.abs(difference) / SECOND) } };
  if (Math.abs(difference) <= CLOCK_LIMIT) return { light: "green", value };
  return {
    light: Math.abs(difference) > 5 * MINUTE ? "red" : "yellow",
    value,
    fix: { key: "browser_clock" },
  };
}

async function database(work: Work): Promise<PartState> {
  const startedAt = performance.now();
  await ping(work);
  const took = Math.round(performance.now() - startedAt);
  const [info] = await readDatabaseInfo(work);
  const { version, at } = info!;
  const number = `${Math.floor(version / 10_000)}.${version % 10_000}`;
  const value = `PostgreSQL ${number}, ${took} ms`;
  if (version < OLDEST_DATABASE * 10_000)
    return { light: "red", value, fix: { key: "databaseOld", params: { oldest: OLDEST_DATABASE } } };
  const difference = Math.abs(at.getTime() - Date.now());
  if (difference > CLOCK_LIMIT)
    return {
      light: "red",
      value,
      fix: { key: "databaseClock", params: { seconds: Math.round(difference / SECOND) } },
    };
  return { light: "green", value };
}

/** Connects, encrypts and signs in like a delivery, but sends no mail. */
async function outgoingMail(): Promise<PartState> {
  const { SMTP_URL, production } = env();
  if (!SMTP_URL)
    return production
      ? { light: "red", value: { key: "notSet" }, fix: { key: "mailMissing" } }
      : { light: "green", value: { key: "mailbox" } };
  const { host } = new URL(SMTP_URL);
  try {
    await systemTransport().verify();
    return { light: "green", value: host };
  } catch (error) {
    const reason = failureOf(error);
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
    const read = file ? await textOf(file.open()) : "";
    if (read !== content) return { light: "red", value, fix: { key: "storage" } };
  } finally {
    await storage().remove(key);
  }
  return { light: "green", value };
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** Passkeys are bound to our host name permanently, and browsers accept no IP addresses. */
async function passkeys(): Promise<PartState> {
  const { hostname } = new URL(env().APP_URL);
  return isIP(hostname.replace(/^\[|\]$/g, ""))
    ? { light: "yellow", value: hostname, fix: { key: "passkeys" } }
    : { light: "green", value: hostname };
}

/** Each proxy on our own request has added an address; TRUSTED_PROXY_HOPS must equal their number. */
function proxies(reached: ReachResult): PartState {
  const { TRUSTED_PROXY_HOPS: hops } = env();
  const value = { key: "hops", params: { count: hops } };
  if (!("forwarded" in reached)) return unmeasured(value);
  const { forwarded } = reached;
  if (forwarded === hops) return { light: "green", value };
  const key = forwarded > hops ? "proxiesFew" : "proxiesMany";
  return { light: "yellow", value, fix: { key, params: { found: forwarded, hops } } };
}

import { createHmac } from "node:crypto";
import { env } from "@/server/core/env";
import { fromNow, MINUTE } from "@/server/core/time";
import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { digest, sameBytes } from "@/server/infrastructure/secrets/tokens";
import { telegramSecret } from "../telegram.provider";
import { webhookBaseUrl } from "./provider";
import { type StoredConnection, targetOf } from "./providers";

export interface HookCall {
  channel: Channel;
  secret: string;
  method: string;
  query: URLSearchParams;
  header(name: string): string | undefined;
  body: Uint8Array;
}

export interface HookResponse {
  status: number;
  body: string;
  /** True for a verified call of a provider to an existing webhook. */
  isKnown: boolean;
}

const ACCEPTED: HookResponse = { status: 200, body: "", isKnown: true };
const UNSIGNED: HookResponse = { status: 401, body: "", isKnown: false };

/** Webhook of our app at Meta, shared by its pages and accounts. Not a secret. */
const APP_HOOK = "app";

/**
 * Handles a provider's webhook call. A valid signature counts as a sign of life; the message is not
 * processed. Responds 200 to unknown URLs, because providers repeat failed calls for days.
 */
export async function receiveHook(call: HookCall): Promise<HookResponse> {
  if (call.method === "GET") return challenge(call);
  if (call.secret === APP_HOOK) return receiveFromApp(call);
  const connection = await withoutTransaction().db.connection.findUnique({
    where: { hookHash: Uint8Array.from(digest(call.secret)), channel: call.channel },
    select: { id: true, channel: true, remoteKey: true, accountKey: true, config: true, secretSealed: true },
  });
  if (!connection) return { ...ACCEPTED, isKnown: false };
  if (!isSigned(call, connection)) return UNSIGNED;
  await recordSignOfLife({ id: connection.id });
  return ACCEPTED;
}

async function challenge({ channel, secret, query }: HookCall): Promise<HookResponse> {
  const refused = { status: 403, body: "", isKnown: false };
  const token = query.get("hub.verify_token") ?? "";
  const expected = secret === APP_HOOK ? env().META_VERIFY_TOKEN : secret.slice(-32);
  if (!expected || !isEqual(token, expected)) return refused;
  if (secret !== APP_HOOK) {
    const where = { hookHash: Uint8Array.from(digest(secret)), channel };
    if (!(await withoutTransaction().db.connection.findUnique({ where, select: { id: true } })))
      return refused;
  }
  return { ...ACCEPTED, body: query.get("hub.challenge")?.slice(0, 1000) ?? "" };
}

async function receiveFromApp(call: HookCall): Promise<HookResponse> {
  if (!isSignedByMeta(call)) return UNSIGNED;
  await recordSignOfLife({ channel: call.channel, remoteKey: { in: entriesOf(call.body) } });
  return ACCEPTED;
}

function entriesOf(body: Uint8Array): string[] {
  try {
    const { entry } = JSON.parse(Buffer.from(body).toString("utf8")) as { entry?: unknown };
    const entries = Array.isArray(entry) ? (entry as Array<{ id?: unknown } | null>) : [];
    return entries.slice(0, 100).map((each) => String(each?.id));
  } catch {
    return [];
  }
}

type Where = NonNullable<
  Parameters<ReturnType<typeof withoutTransaction>["db"]["connection"]["updateMany"]>[0]
>["where"];

/** Records a sign of life, at most once a minute. */
async function recordSignOfLife(where: Where): Promise<void> {
  await withoutTransaction().db.connection.updateMany({
    where: { ...where, OR: [{ lastOkAt: null }, { lastOkAt: { lt: fromNow(-MINUTE) } }] },
    data: { lastOkAt: new Date() },
  });
}

function isSigned(call: HookCall, connection: StoredConnection): boolean {
  const url = `${webhookBaseUrl(call.channel)}${call.secret}`;
  switch (call.channel) {
    case "telegram":
      return isEqual(call.header("x-telegram-bot-api-secret-token") ?? "", telegramSecret(url));
    case "whatsapp":
    case "messenger":
    case "instagram":
      return isSignedByMeta(call);
    case "sms":
    case "voice":
      return isSignedByTwilio(call, url, targetOf(connection).secret);
    default:
      // Evolution does not sign: the URL is the secret.
      return call.channel === "whatsapp_qr";
  }
}

function isSignedByMeta({ header, body }: HookCall): boolean {
  const { META_APP_SECRET: key } = env();
  if (!key) return false;
  return isEqual(
    header("x-hub-signature-256") ?? "",
    `sha256=${createHmac("sha256", key).update(body).digest("hex")}`,
  );
}

/** Twilio signs URL and sorted form fields with the account's token. */
function isSignedByTwilio({ header, body, query }: HookCall, url: string, token: string): boolean {
  const search = query.toString();
  const fields = [...new URLSearchParams(Buffer.from(body).toString("utf8"))].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const text = `${url}${search && `?${search}`}${fields.flat().join("")}`;
  return isEqual(header("x-twilio-signature") ?? "", createHmac("sha1", token).update(text).digest("base64"));
}

function isEqual(actual: string, expected: string): boolean {
  return sameBytes(digest(actual), digest(expected));
}

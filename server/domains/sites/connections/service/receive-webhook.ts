import { createHmac } from "node:crypto";
import { env } from "@/server/core/env";
import { fromNow, MINUTE } from "@/server/core/time";
import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { areBytesEqual, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { deriveTelegramWebhookSecret } from "../telegram.provider";
import { getWebhookBaseUrl } from "./provider";
import { type StoredConnection, toProviderTarget } from "./provider-registry";

export interface WebhookCall {
  channel: Channel;
  pathKey: string;
  method: string;
  query: URLSearchParams;
  header(name: string): string | undefined;
  body: Uint8Array;
}

export interface WebhookResponse {
  status: number;
  body: string;
  /** True for a verified call of a provider to an existing webhook. */
  isVerified: boolean;
}

const ACCEPTED: WebhookResponse = { status: 200, body: "", isVerified: true };
const REJECTED_SIGNATURE: WebhookResponse = { status: 401, body: "", isVerified: false };

/** Path of our Meta app's webhook, shared by all pages and accounts. Not a secret. */
const META_APP_WEBHOOK_PATH = "app";

/**
 * Records that the connection works; does not process messages. Unknown URLs get 200, because providers
 * repeat failed calls for days.
 */
export async function receiveWebhook(call: WebhookCall): Promise<WebhookResponse> {
  if (call.method === "GET") return answerMetaChallenge(call);
  if (call.pathKey === META_APP_WEBHOOK_PATH) return receiveFromMetaApp(call);
  const connection = await withoutTransaction().db.connection.findUnique({
    where: { hookHash: Uint8Array.from(hashSecret(call.pathKey)), channel: call.channel },
    select: { id: true, channel: true, remoteKey: true, accountKey: true, config: true, secretSealed: true },
  });
  if (!connection) return { ...ACCEPTED, isVerified: false };
  if (!isAuthentic(call, connection)) return REJECTED_SIGNATURE;
  await recordLastOk({ id: connection.id });
  return ACCEPTED;
}

async function answerMetaChallenge({ channel, pathKey, query }: WebhookCall): Promise<WebhookResponse> {
  const refusal = { status: 403, body: "", isVerified: false };
  const token = query.get("hub.verify_token") ?? "";
  // The last 32 characters of the URL must match the token that meta.provider.ts registers.
  const expected = pathKey === META_APP_WEBHOOK_PATH ? env().META_VERIFY_TOKEN : pathKey.slice(-32);
  if (!expected || !isEqualSecret(token, expected)) return refusal;
  if (pathKey !== META_APP_WEBHOOK_PATH) {
    const where = { hookHash: Uint8Array.from(hashSecret(pathKey)), channel };
    if (!(await withoutTransaction().db.connection.findUnique({ where, select: { id: true } })))
      return refusal;
  }
  return { ...ACCEPTED, body: query.get("hub.challenge")?.slice(0, 1000) ?? "" };
}

async function receiveFromMetaApp(call: WebhookCall): Promise<WebhookResponse> {
  if (!isSignedByMeta(call)) return REJECTED_SIGNATURE;
  await recordLastOk({ channel: call.channel, remoteKey: { in: parseEntryIds(call.body) } });
  return ACCEPTED;
}

function parseEntryIds(body: Uint8Array): string[] {
  try {
    const { entry } = JSON.parse(Buffer.from(body).toString("utf8")) as { entry?: unknown };
    const entries = Array.isArray(entry) ? (entry as Array<{ id?: unknown } | null>) : [];
    return entries.slice(0, 100).map((metaEntry) => String(metaEntry?.id));
  } catch {
    return [];
  }
}

type ConnectionWhere = NonNullable<
  Parameters<ReturnType<typeof withoutTransaction>["db"]["connection"]["updateMany"]>[0]
>["where"];

/** Sets `lastOkAt`, at most once a minute. */
async function recordLastOk(where: ConnectionWhere): Promise<void> {
  await withoutTransaction().db.connection.updateMany({
    where: { ...where, OR: [{ lastOkAt: null }, { lastOkAt: { lt: fromNow(-MINUTE) } }] },
    data: { lastOkAt: new Date() },
  });
}

function isAuthentic(call: WebhookCall, connection: StoredConnection): boolean {
  const url = `${getWebhookBaseUrl(call.channel)}${call.pathKey}`;
  switch (call.channel) {
    case "telegram":
      return isEqualSecret(
        call.header("x-telegram-bot-api-secret-token") ?? "",
        deriveTelegramWebhookSecret(url),
      );
    case "whatsapp":
    case "messenger":
    case "instagram":
      return isSignedByMeta(call);
    case "sms":
    case "voice":
      return isSignedByTwilio(call, url, toProviderTarget(connection).secret);
    default:
      // Evolution does not sign: the URL is the secret.
      return call.channel === "whatsapp_qr";
  }
}

function isSignedByMeta({ header, body }: WebhookCall): boolean {
  const { META_APP_SECRET: key } = env();
  if (!key) return false;
  return isEqualSecret(
    header("x-hub-signature-256") ?? "",
    `sha256=${createHmac("sha256", key).update(body).digest("hex")}`,
  );
}

/** Twilio signs the URL, followed by the sorted form fields, with the account's auth token. */
function isSignedByTwilio({ header, body, query }: WebhookCall, url: string, authToken: string): boolean {
  const search = query.toString();
  const fields = [...new URLSearchParams(Buffer.from(body).toString("utf8"))].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const signedText = `${url}${search && `?${search}`}${fields.flat().join("")}`;
  return isEqualSecret(
    header("x-twilio-signature") ?? "",
    createHmac("sha1", authToken).update(signedText).digest("base64"),
  );
}

function isEqualSecret(actual: string, expected: string): boolean {
  return areBytesEqual(hashSecret(actual), hashSecret(expected));
}

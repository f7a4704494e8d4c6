import type { Input } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError, invalidField } from "@/server/core/errors";
import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { isAllowedOutboundUrl } from "@/server/infrastructure/http/outbound";
import type { createConnection } from "../contract";
import { CONNECTION_TYPE_BY_CHANNEL, CREDENTIAL_FIELDS_BY_CHANNEL, MAIL_PORTS } from "../policy";
import type { ProviderTarget } from "./provider";

type Body = Input<typeof createConnection>["body"];

export function parseProviderTarget(body: Body): ProviderTarget {
  const { channel } = body;
  const credentialFields: {
    remote?: keyof Body;
    account?: keyof Body;
    secret?: keyof Body;
    config?: keyof Body;
  } = CREDENTIAL_FIELDS_BY_CHANNEL[channel];
  if (body.connection_type && body.connection_type !== CONNECTION_TYPE_BY_CHANNEL[channel])
    throw invalidField("connection_type", "in");
  const requireText = (field: keyof Body): string => {
    const value = body[field];
    if (typeof value !== "string" || value === "") throw invalidField(field, "required");
    return value;
  };
  const secret = credentialFields.secret ? requireText(credentialFields.secret) : "";
  if (channel === "web_chat") {
    if (body.site_ids?.length !== 1) throw invalidField("site_ids", "site_unknown");
    return { channel, remoteKey: String(body.site_ids[0]), accountKey: null, config: {}, secret };
  }
  if (channel === "telegram") {
    const [, botId] = /^(\d{5,15}):[\w-]{30,64}$/.exec(secret) ?? [];
    if (!botId) throw invalidField("bot_token", "invalid");
    return { channel, remoteKey: botId, accountKey: null, config: {}, secret };
  }
  if (channel === "email")
    return toMailboxTarget(requireText("host"), requireText("user"), body.port ?? MAIL_PORTS[0], secret);
  const remoteKey = requireText(credentialFields.remote!);
  if (channel === "whatsapp_qr") {
    const base_url = parseBaseUrl(requireText("base_url"));
    const config = { base_url, instance: remoteKey };
    return { channel, remoteKey: `${base_url}|${remoteKey}`, accountKey: null, config, secret };
  }
  const accountKey = credentialFields.account ? requireText(credentialFields.account) : null;
  if (channel === "sms" || channel === "voice") {
    if (!/^AC[0-9a-fA-F]{32}$/.test(accountKey!)) throw invalidField("account_sid", "invalid");
    if (!/^PN[0-9a-zA-Z]{1,32}$/.test(remoteKey)) throw invalidField("phone_number_sid", "invalid");
  } else if (!env().META_APP_ID || !env().META_APP_SECRET)
    throw new AppError("connection_refused", { reason: "not_configured" });
  return { channel, remoteKey, accountKey, config: {}, secret };
}

/** Rejects a query or fragment. The host is not checked here, but by the outbound client before each call. */
function parseBaseUrl(address: string): string {
  const url = URL.parse(address);
  if (!url || !isAllowedOutboundUrl(address) || url.search || url.hash)
    throw invalidField("base_url", "outbound_address");
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, "");
}

/** Builds the target of a mailbox. Its key ignores port and case, so that it can be connected only once. */
function toMailboxTarget(host: string, user: string, port: number, secret: string): ProviderTarget {
  if (!env().MAIL_PRIVATE_HOSTS && !MAIL_PORTS.includes(port)) throw invalidField("port", "imap_port");
  const config = { host, port: String(port), user };
  return { channel: "email", remoteKey: `${host}|${user.toLowerCase()}`, accountKey: null, config, secret };
}

/** Requires printable ASCII, because tokens are sent in URLs and headers; mailbox passwords are not. */
export function requirePrintableSecret(channel: Channel, secret: string): void {
  if (channel !== "email" && !/^[\x21-\x7e]+$/.test(secret)) throw invalidField("secret", "text");
}

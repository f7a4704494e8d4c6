import type { Input } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError, invalid } from "@/server/core/errors";
import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { isOutboundAddress } from "@/server/infrastructure/http/outbound";
import type { createConnection } from "../contract";
import { CONNECT_FIELDS, CONNECTABLE, MAIL_PORTS } from "../policy";
import type { Target } from "./provider";

type Body = Input<typeof createConnection>["body"];

export function targetFromRequest(body: Body): Target {
  const { channel } = body;
  const fields: { remote?: keyof Body; account?: keyof Body; secret?: keyof Body; config?: keyof Body } =
    CONNECT_FIELDS[channel];
  if (body.connection_type && body.connection_type !== CONNECTABLE[channel])
    throw invalid("connection_type", "in");
  const requiredText = (field: keyof Body): string => {
    const value = body[field];
    if (typeof value !== "string" || value === "") throw invalid(field, "required");
    return value;
  };
  const secret = fields.secret ? requiredText(fields.secret) : "";
  if (channel === "web_chat") {
    if (body.site_ids?.length !== 1) throw invalid("site_ids", "site_unknown");
    return { channel, remoteKey: String(body.site_ids[0]), accountKey: null, config: {}, secret };
  }
  if (channel === "telegram") {
    const [, bot] = /^(\d{5,15}):[\w-]{30,64}$/.exec(secret) ?? [];
    if (!bot) throw invalid("bot_token", "invalid");
    return { channel, remoteKey: bot, accountKey: null, config: {}, secret };
  }
  if (channel === "email")
    return mailbox(requiredText("host"), requiredText("user"), body.port ?? MAIL_PORTS[0], secret);
  const remoteKey = requiredText(fields.remote!);
  if (channel === "whatsapp_qr") {
    const base_url = baseOf(requiredText("base_url"));
    const config = { base_url, instance: remoteKey };
    return { channel, remoteKey: `${base_url}|${remoteKey}`, accountKey: null, config, secret };
  }
  const accountKey = fields.account ? requiredText(fields.account) : null;
  if (channel === "sms" || channel === "voice") {
    if (!/^AC[0-9a-fA-F]{32}$/.test(accountKey!)) throw invalid("account_sid", "invalid");
    if (!/^PN[0-9a-zA-Z]{1,32}$/.test(remoteKey)) throw invalid("phone_number_sid", "invalid");
  } else if (!env().META_APP_ID || !env().META_APP_SECRET)
    throw new AppError("connection_refused", { reason: "not_configured" });
  return { channel, remoteKey, accountKey, config: {}, secret };
}

/** Refuses query and fragment. The outbound client checks the host at the call. */
function baseOf(address: string): string {
  const url = URL.parse(address);
  if (!url || !isOutboundAddress(address) || url.search || url.hash)
    throw invalid("base_url", "outbound_address");
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, "");
}

/** The key ignores port and case, so a mailbox is connected once. */
function mailbox(host: string, user: string, port: number, secret: string): Target {
  if (!env().MAIL_PRIVATE_HOSTS && !MAIL_PORTS.includes(port)) throw invalid("port", "imap_port");
  const config = { host, port: String(port), user };
  return { channel: "email", remoteKey: `${host}|${user.toLowerCase()}`, accountKey: null, config, secret };
}

/** Tokens and keys are sent in URLs and headers; mailbox passwords are not. */
export function requirePrintable(channel: Channel, secret: string): void {
  if (channel !== "email" && !/^[\x21-\x7e]+$/.test(secret)) throw invalid("secret", "text");
}

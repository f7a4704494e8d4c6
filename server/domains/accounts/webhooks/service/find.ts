import { isIP } from "node:net";
import type { Context, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { createError, createInaccessibleError, invalidField } from "@/server/core/errors";
import { isAllowedOutboundUrl, isSandboxUrl } from "@/server/infrastructure/http/outbound";
import { isPublicAddress } from "@/server/infrastructure/mail/resolve-host";
import { ENDPOINT_COLUMNS, type EndpointRow } from "../dto";
import { lockEndpoint } from "../statements";

export async function requireOwnEndpoint(
  { db, actor }: Context<UserActor>,
  id: number,
): Promise<EndpointRow> {
  const row = await db.webhookEndpoint.findUnique({ where: { id }, select: ENDPOINT_COLUMNS });
  if (row?.userId !== actor.id) throw createInaccessibleError(row, "WebhookEndpoint", id);
  return row;
}

export async function lockOwnEndpoint(tx: Context<UserActor>, id: number): Promise<EndpointRow> {
  await lockEndpoint(tx, { id });
  return requireOwnEndpoint(tx, id);
}

export function requireActiveEndpoint({ disabledReason }: EndpointRow): void {
  if (disabledReason) throw createError("webhook_disabled");
}

const ALLOWED_PORTS = new Set(["", "443", "8443"]);

/** Normalises a URL, or throws `validation`. Each attempt checks the resolved address again. */
export function requireValidUrl(text: string): string {
  const url = new URL(text);
  if (isSandboxUrl(url)) return url.href;
  if (!isAllowedOutboundUrl(text) || !ALLOWED_PORTS.has(url.port)) throw invalidField("url", "webhook_url");
  if (!env().WEBHOOK_PRIVATE_HOSTS && isPrivateName(url.hostname))
    throw invalidField("url", "webhook_private");
  return url.href;
}

function isPrivateName(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  if (isIP(host)) return !isPublicAddress(host);
  return !host.includes(".") || /\.(localhost|local|internal|lan|home\.arpa)$/.test(host);
}

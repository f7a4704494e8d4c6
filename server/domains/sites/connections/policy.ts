import type { Scope } from "@/server/core/context";

export const CHANNELS = [
  "whatsapp",
  "whatsapp_qr",
  "telegram",
  "instagram",
  "messenger",
  "email",
  "web_chat",
  "sms",
  "voice",
] as const;

export const CONNECTION_TYPE_BY_CHANNEL = {
  telegram: "bot",
  whatsapp: "cloud_api",
  whatsapp_qr: "evolution",
  messenger: "oauth",
  instagram: "oauth",
  sms: "twilio",
  voice: "twilio",
  email: "imap",
  web_chat: "widget",
} as const;
export type ConnectableChannel = keyof typeof CONNECTION_TYPE_BY_CHANNEL;
export const CONNECTABLE_CHANNELS = Object.keys(CONNECTION_TYPE_BY_CHANNEL) as [
  ConnectableChannel,
  ...ConnectableChannel[],
];

/** Request fields by channel. `remote` and `account` become keys of `Target`; `config` is stored unsealed. */
export const CREDENTIAL_FIELDS_BY_CHANNEL = {
  telegram: { secret: "bot_token" },
  whatsapp: { remote: "phone_number_id", account: "waba_id", secret: "access_token" },
  whatsapp_qr: { remote: "instance", secret: "api_key", config: "base_url" },
  messenger: { remote: "page_id", secret: "access_token" },
  instagram: { remote: "ig_user_id", secret: "access_token" },
  sms: { remote: "phone_number_sid", account: "account_sid", secret: "auth_token" },
  voice: { remote: "phone_number_sid", account: "account_sid", secret: "auth_token" },
  email: { remote: "user", config: "host", secret: "password" },
  web_chat: {},
} as const satisfies Record<
  ConnectableChannel,
  { remote?: string; account?: string; secret?: string; config?: string }
>;

/** Port with STARTTLS; all others use TLS from the start. */
export const STARTTLS_PORT = 143;
export const MAIL_PORTS: [number, ...number[]] = [993, STARTTLS_PORT];

export const IDLE_REASONS = ["no_site", "sites_inactive", "deactivated"] as const;

export const CLEANUP_ITEMS_MAX = 100;

export const CHECK_RETENTION_DAYS = 90;

export const IDLE_LIST_MAX = 1000;

/** Label of items that the reader may no longer see, or whose account is deleted. */
export const HIDDEN_LABEL = "—";

export interface ConnectionLineage {
  userId: number;
  ownerParentId: number | null;
  ownerResellerId: number | null;
  parentResellerId: number | null;
}

/** The owner, their reseller and administrators manage a connection; parents and agents only see it. */
export function canManageConnection(scope: Scope, lineage: ConnectionLineage): boolean {
  if (scope.onlySiteId !== null) return false;
  return canManageOwnersConnections(scope, lineage);
}

export function canManageOwnersConnections(
  { userId, role }: Pick<Scope, "userId" | "role">,
  { userId: ownerId, ownerResellerId, parentResellerId }: ConnectionLineage,
): boolean {
  if (role === "admin" || ownerId === userId) return true;
  return role === "reseller" && (ownerResellerId === userId || parentResellerId === userId);
}

/** Agents see the connections of their site, other callers those of accounts in their scope. */
export function canSeeConnection(scope: Scope, lineage: ConnectionLineage, siteIds: number[]): boolean {
  if (scope.onlySiteId !== null) return siteIds.includes(scope.onlySiteId);
  return lineage.ownerParentId === scope.userId || canManageOwnersConnections(scope, lineage);
}

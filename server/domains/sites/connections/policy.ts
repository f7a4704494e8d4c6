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

export const CONNECTABLE = {
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
export type Connectable = keyof typeof CONNECTABLE;
export const CONNECTABLE_CHANNELS = Object.keys(CONNECTABLE) as [Connectable, ...Connectable[]];

/** Request fields: ID at the provider, shared provider account, secret, public configuration. */
export const CONNECT_FIELDS = {
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
  Connectable,
  { remote?: string; account?: string; secret?: string; config?: string }
>;

/** Port with STARTTLS; all others use TLS from the start. */
export const STARTTLS_PORT = 143;
export const MAIL_PORTS: [number, ...number[]] = [993, STARTTLS_PORT];

/** Reasons why a connection is idle, in the order of responses. */
export const IDLE_REASONS = ["no_site", "sites_inactive", "deactivated"] as const;

export const CLEANUP_MAX = 100;

export const IDLE_LIST_MAX = 1000;

/** Label of connections that are out of scope or whose account was deleted. */
export const HIDDEN_LABEL = "—";

export interface ConnectionLineage {
  userId: number;
  ownerParentId: number | null;
  ownerResellerId: number | null;
  parentResellerId: number | null;
}

/** The owner, their reseller and administrators manage a connection; parents and agents only see it. */
export function mayManageConnection(scope: Scope, lineage: ConnectionLineage): boolean {
  if (scope.onlySite !== null) return false;
  return managesAccount(scope, lineage);
}

/** {@link mayManageConnection} for an account that is not the caller. */
export function managesAccount(
  { userId, role }: Pick<Scope, "userId" | "role">,
  { userId: owner, ownerResellerId, parentResellerId }: ConnectionLineage,
): boolean {
  if (role === "admin" || owner === userId) return true;
  return role === "reseller" && (ownerResellerId === userId || parentResellerId === userId);
}

/** Agents see the connections of their site, other callers those of accounts in their scope. */
export function seesConnection(scope: Scope, lineage: ConnectionLineage, siteIds: number[]): boolean {
  if (scope.onlySite !== null) return siteIds.includes(scope.onlySite);
  return lineage.ownerParentId === scope.userId || managesAccount(scope, lineage);
}

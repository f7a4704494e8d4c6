import type { Scope } from "@/server/core/context";

/** The channels, and what kinds of connections each of them has (docs/contract.md 2.6). */
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

/** The channels that can be connected here, with the kind of connection of each. */
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

/** What each channel asks for: the number at the party, what it shares with others, the secret, and public facts. */
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

/** The port on which a mail server begins TLS when asked to; on every other one it begins with it. */
export const STARTTLS_PORT = 143;
/** The ports of mailboxes, the usual one first. */
export const MAIL_PORTS: [number, ...number[]] = [993, STARTTLS_PORT];

/** Why a connection is idle, in the order in which they are told. */
export const IDLE_REASONS = ["no_site", "sites_inactive", "deactivated"] as const;

/** The most connections of one clean-up. */
export const CLEANUP_MAX = 100;

/** The most connections that one list of idle ones has. */
export const IDLE_LIST_MAX = 1000;

/** Stands for the name of a connection that is out of reach, or whose account is gone. */
export const NAMELESS = "—";

/** The account of a connection with those above it. */
export interface ConnectionLineage {
  userId: number;
  ownerParentId: number | null;
  ownerResellerId: number | null;
  parentResellerId: number | null;
}

/** The owner, the reseller above and administrators clean up and change; a parent account and agents only see. */
export function mayManageConnection(scope: Scope, lineage: ConnectionLineage): boolean {
  if (scope.onlySite !== null) return false;
  return managesAccount(scope, lineage);
}

/** The same for somebody who is not calling: by number and role. */
export function managesAccount(
  { userId, role }: Pick<Scope, "userId" | "role">,
  { userId: owner, ownerResellerId, parentResellerId }: ConnectionLineage,
): boolean {
  if (role === "admin" || owner === userId) return true;
  return role === "reseller" && (ownerResellerId === userId || parentResellerId === userId);
}

/** An agent sees the connections of the one site; everybody else those of the accounts they reach. */
export function seesConnection(scope: Scope, lineage: ConnectionLineage, siteIds: number[]): boolean {
  if (scope.onlySite !== null) return siteIds.includes(scope.onlySite);
  return lineage.ownerParentId === scope.userId || managesAccount(scope, lineage);
}

import type { Route } from "next";
import type { MenuEntry, Viewer } from "./menu";

/** Second key of shortcuts: `g` and this letter open a menu entry. The same in every language. */
export const JUMP_KEYS: Partial<Record<MenuEntry["key"], string>> = {
  dashboard: "d",
  sites: "s",
  connections: "c",
  media: "m",
  snippets: "n",
  team: "t",
  billing: "b",
  apiKeys: "k",
  webhooks: "w",
  docs: "h",
  resellerCustomers: "r",
  users: "u",
  subscriptions: "p",
  accounting: "i",
  auditLog: "l",
  jobs: "j",
  settings: ",",
};

const ALL_VIEWERS: readonly Viewer[] = ["customer", "agent", "reseller", "admin"];
const OWNER_VIEWERS: readonly Viewer[] = ["customer", "reseller", "admin"];

/** Settings pages and their sections, by their key in `palette.places`. */
export const SETTINGS_PLACES = {
  profile: { href: "/settings/profile", viewers: ALL_VIEWERS },
  language: { href: "/settings/profile#language", viewers: ALL_VIEWERS },
  security: { href: "/settings/security", viewers: ALL_VIEWERS },
  secondFactor: { href: "/settings/security#second-factor", viewers: ALL_VIEWERS },
  password: { href: "/settings/security#password", viewers: ALL_VIEWERS },
  passkeys: { href: "/settings/security#passkeys", viewers: ALL_VIEWERS },
  sessions: { href: "/settings/security#sessions", viewers: ALL_VIEWERS },
  signIns: { href: "/settings/security#sign-ins", viewers: ALL_VIEWERS },
  menuLabels: { href: "/settings/menu", viewers: ALL_VIEWERS },
  mailSending: { href: "/settings/mail", viewers: ["customer", "admin"] },
  consents: { href: "/settings/consents", viewers: ALL_VIEWERS },
  dataExport: { href: "/settings/privacy#export", viewers: ALL_VIEWERS },
  deletion: { href: "/settings/privacy#delete", viewers: OWNER_VIEWERS },
} as const satisfies Record<string, { href: string; viewers: readonly Viewer[] }>;

/** Create commands, by key in `palette.create`: a page, or the create button of a menu entry's page. */
export const CREATE_COMMANDS = {
  site: { href: "/sites/new", viewers: OWNER_VIEWERS },
  connection: { href: "/connections/new", viewers: OWNER_VIEWERS },
  media: { entry: "media", viewers: ALL_VIEWERS },
  snippet: { entry: "snippets", viewers: ALL_VIEWERS },
  member: { entry: "team", viewers: OWNER_VIEWERS },
  key: { entry: "apiKeys", viewers: OWNER_VIEWERS },
  webhook: { entry: "webhooks", viewers: OWNER_VIEWERS },
  customer: { entry: "resellerCustomers", viewers: ["reseller"] },
  customers: { href: "/reseller/customers/import", viewers: ["reseller"] },
  activation: { href: "/admin/subscriptions/activate", viewers: ["admin"] },
} as const satisfies Record<
  string,
  { viewers: readonly Viewer[] } & ({ href: Route } | { entry: MenuEntry["key"] })
>;

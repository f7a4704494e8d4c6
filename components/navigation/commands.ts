import type { Route } from "next";
import type { MenuEntry, Viewer } from "./menu";

/** Shortcuts: `g` and this letter open a menu entry. The same in every language. */
export const JUMPS: Partial<Record<MenuEntry["key"], string>> = {
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

const ALL: readonly Viewer[] = ["customer", "agent", "reseller", "admin"];
const OWNERS: readonly Viewer[] = ["customer", "reseller", "admin"];

/** Places inside pages, by their key in `palette.places`. */
export const PLACES = {
  profile: { href: "/settings/profile", viewers: ALL },
  language: { href: "/settings/profile#language", viewers: ALL },
  security: { href: "/settings/security", viewers: ALL },
  secondFactor: { href: "/settings/security#second-factor", viewers: ALL },
  password: { href: "/settings/security#password", viewers: ALL },
  passkeys: { href: "/settings/security#passkeys", viewers: ALL },
  sessions: { href: "/settings/security#sessions", viewers: ALL },
  signIns: { href: "/settings/security#sign-ins", viewers: ALL },
  menuLabels: { href: "/settings/menu", viewers: ALL },
  mailSending: { href: "/settings/mail", viewers: ["customer", "admin"] },
  consents: { href: "/settings/consents", viewers: ALL },
  dataExport: { href: "/settings/privacy#export", viewers: ALL },
  deletion: { href: "/settings/privacy#delete", viewers: OWNERS },
} as const satisfies Record<string, { href: string; viewers: readonly Viewer[] }>;

/** Create commands, by key in `palette.create`: a page, or the create button of a menu entry's page. */
export const CREATE = {
  site: { href: "/sites/new", viewers: OWNERS },
  connection: { entry: "connections", viewers: OWNERS },
  media: { entry: "media", viewers: ALL },
  snippet: { entry: "snippets", viewers: ALL },
  member: { entry: "team", viewers: OWNERS },
  key: { entry: "apiKeys", viewers: OWNERS },
  webhook: { entry: "webhooks", viewers: OWNERS },
  customer: { entry: "resellerCustomers", viewers: ["reseller"] },
  customers: { href: "/reseller/customers/import", viewers: ["reseller"] },
  activation: { href: "/admin/subscriptions/activate", viewers: ["admin"] },
} as const satisfies Record<
  string,
  { viewers: readonly Viewer[] } & ({ href: Route } | { entry: MenuEntry["key"] })
>;

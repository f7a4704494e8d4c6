import {
  BadgeCheck,
  Banknote,
  BookOpen,
  Cable,
  ContactRound,
  CreditCard,
  FileCheck,
  Globe,
  HandCoins,
  HeartPulse,
  Images,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Mail,
  MailCheck,
  Palette,
  ReceiptText,
  Scale,
  ScrollText,
  Settings,
  Share2,
  Signature,
  SlidersHorizontal,
  Tags,
  TextQuote,
  UserCog,
  Users,
  Webhook,
} from "lucide-react";
import type { Route } from "next";
import type { Messages } from "next-intl";

/** Kinds of panel users. An agent works in one site of a team. */
export type Viewer = "customer" | "agent" | "reseller" | "admin";

export type MenuGroupKey =
  | "groupWorkspace"
  | "groupDevelopers"
  | "groupReseller"
  | "groupAdmin"
  | "groupAccount";

export interface MenuEntry {
  /** Key of the custom label and of the default text in `navigation`. */
  key: Exclude<keyof Messages["navigation"], MenuGroupKey>;
  group: MenuGroupKey;
  icon: LucideIcon;
  href: Route;
  /** Pages under this path belong to the entry; default: `href`. */
  basePath?: string;
  viewers: readonly Viewer[];
  /** Viewers with this entry in their bottom bar: four per viewer, with a short name in `shell.bar`. */
  bottomBarViewers?: readonly Viewer[];
}

const ALL_VIEWERS: readonly Viewer[] = ["customer", "agent", "reseller", "admin"];

const MENU_ENTRIES: readonly MenuEntry[] = [
  {
    key: "dashboard",
    group: "groupWorkspace",
    icon: LayoutDashboard,
    href: "/dashboard",
    viewers: ALL_VIEWERS,
    bottomBarViewers: ALL_VIEWERS,
  },
  {
    key: "sites",
    group: "groupWorkspace",
    icon: Globe,
    href: "/sites",
    viewers: ALL_VIEWERS,
    bottomBarViewers: ALL_VIEWERS,
  },
  {
    key: "connections",
    group: "groupWorkspace",
    icon: Cable,
    href: "/connections",
    viewers: ALL_VIEWERS,
  },
  {
    key: "media",
    group: "groupWorkspace",
    icon: Images,
    href: "/media",
    viewers: ALL_VIEWERS,
  },
  {
    key: "snippets",
    group: "groupWorkspace",
    icon: TextQuote,
    href: "/snippets",
    viewers: ALL_VIEWERS,
  },
  {
    key: "team",
    group: "groupWorkspace",
    icon: Users,
    href: "/team",
    viewers: ["customer", "reseller", "admin"],
    bottomBarViewers: ["customer"],
  },
  {
    key: "billing",
    group: "groupWorkspace",
    icon: CreditCard,
    href: "/billing",
    viewers: ["customer", "reseller", "admin"],
  },
  {
    key: "apiKeys",
    group: "groupDevelopers",
    icon: KeyRound,
    href: "/developers/keys",
    viewers: ["customer", "reseller", "admin"],
  },
  {
    key: "webhooks",
    group: "groupDevelopers",
    icon: Webhook,
    href: "/developers/webhooks",
    viewers: ["customer", "reseller", "admin"],
  },
  {
    key: "docs",
    group: "groupDevelopers",
    icon: BookOpen,
    href: "/developers/docs",
    viewers: ALL_VIEWERS,
    bottomBarViewers: ["agent"],
  },
  {
    key: "resellerCustomers",
    group: "groupReseller",
    icon: ContactRound,
    href: "/reseller/customers",
    viewers: ["reseller"],
    bottomBarViewers: ["reseller"],
  },
  {
    key: "resellerLicences",
    group: "groupReseller",
    icon: ReceiptText,
    href: "/reseller/licences",
    viewers: ["reseller"],
  },
  {
    key: "resellerReferral",
    group: "groupReseller",
    icon: Share2,
    href: "/reseller/referral",
    viewers: ["reseller"],
  },
  {
    key: "resellerBranding",
    group: "groupReseller",
    icon: Palette,
    href: "/reseller/branding",
    viewers: ["reseller"],
  },
  {
    key: "resellerMail",
    group: "groupReseller",
    icon: Mail,
    href: "/reseller/mail",
    viewers: ["reseller"],
  },
  {
    key: "resellerAgreement",
    group: "groupReseller",
    icon: Signature,
    href: "/reseller/agreement",
    viewers: ["reseller"],
  },
  {
    key: "users",
    group: "groupAdmin",
    icon: UserCog,
    href: "/admin/users",
    basePath: "/admin",
    viewers: ["admin"],
    bottomBarViewers: ["admin"],
  },
  {
    key: "subscriptions",
    group: "groupAdmin",
    icon: BadgeCheck,
    href: "/admin/subscriptions",
    viewers: ["admin"],
  },
  {
    key: "payments",
    group: "groupAdmin",
    icon: Banknote,
    href: "/admin/payments",
    viewers: ["admin"],
  },
  {
    key: "licences",
    group: "groupAdmin",
    icon: ReceiptText,
    href: "/admin/licences",
    viewers: ["admin"],
  },
  {
    key: "accounting",
    group: "groupAdmin",
    icon: FileCheck,
    href: "/admin/accounting",
    viewers: ["admin"],
  },
  {
    key: "payouts",
    group: "groupAdmin",
    icon: HandCoins,
    href: "/admin/payouts",
    viewers: ["admin"],
  },
  {
    key: "plans",
    group: "groupAdmin",
    icon: Tags,
    href: "/admin/plans",
    viewers: ["admin"],
  },
  {
    key: "auditLog",
    group: "groupAdmin",
    icon: ScrollText,
    href: "/admin/audit",
    viewers: ["admin"],
  },
  {
    key: "health",
    group: "groupAdmin",
    icon: HeartPulse,
    href: "/admin/health",
    viewers: ["admin"],
  },
  {
    key: "legalTexts",
    group: "groupAdmin",
    icon: Scale,
    href: "/admin/legal-texts",
    viewers: ["admin"],
  },
  {
    key: "mailLog",
    group: "groupAdmin",
    icon: MailCheck,
    href: "/admin/mails",
    viewers: ["admin"],
  },
  {
    key: "jobs",
    group: "groupAdmin",
    icon: ListChecks,
    href: "/admin/jobs",
    viewers: ["admin"],
  },
  {
    key: "platform",
    group: "groupAdmin",
    icon: SlidersHorizontal,
    href: "/admin/settings",
    viewers: ["admin"],
  },
  {
    key: "settings",
    group: "groupAccount",
    icon: Settings,
    href: "/settings/profile",
    basePath: "/settings",
    viewers: ALL_VIEWERS,
    bottomBarViewers: ALL_VIEWERS,
  },
];

export type MenuLabels = Partial<Record<string, string>>;

export function getViewer(user: { role: "user" | "reseller" | "admin"; is_agent_only: boolean }): Viewer {
  if (user.role !== "user") return user.role;
  return user.is_agent_only ? "agent" : "customer";
}

const GROUP_ORDER: readonly MenuGroupKey[] = [
  "groupAdmin",
  "groupReseller",
  "groupWorkspace",
  "groupDevelopers",
  "groupAccount",
];

/** Starts with the dashboard and the pages of the viewer's role. */
export function buildMenu(viewer: Viewer): { group: MenuGroupKey; entries: MenuEntry[] }[] {
  const [dashboard, ...entries] = MENU_ENTRIES.filter(({ viewers }) => viewers.includes(viewer));
  const groups = GROUP_ORDER.map((group) => ({
    group,
    entries: entries.filter((entry) => entry.group === group),
  })).filter((group) => group.entries.length > 0);
  groups[0]?.entries.unshift(dashboard!);
  return groups;
}

export function getMenuPath(key: MenuEntry["key"]): Route {
  const entry = MENU_ENTRIES.find((each) => each.key === key);
  if (!entry) throw new Error(`The menu has no entry "${key}".`);
  return entry.href;
}

/** Finds the entry of a page. The longest matching path takes precedence. */
export function findMenuEntry(pathname: string, entries: readonly MenuEntry[]): MenuEntry | undefined {
  const getBasePath = (entry: MenuEntry) => entry.basePath ?? entry.href;
  return entries
    .filter((entry) => pathname === getBasePath(entry) || pathname.startsWith(`${getBasePath(entry)}/`))
    .sort((a, b) => getBasePath(b).length - getBasePath(a).length)[0];
}

export function findNearestMenuEntries(
  pathname: string,
  entries: readonly MenuEntry[],
  count = 4,
): MenuEntry[] {
  const pathPairs = listCharacterPairs(pathname);
  const computeSimilarity = ({ href }: MenuEntry) => {
    const entryPairs = listCharacterPairs(href);
    return (
      (2 * [...entryPairs].filter((pair) => pathPairs.has(pair)).length) / (entryPairs.size + pathPairs.size)
    );
  };
  return entries
    .map((entry) => ({ entry, score: computeSimilarity(entry) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ entry }) => entry);
}

/** Returns the pairs of adjacent characters, whose overlap measures similarity (Sørensen–Dice). */
function listCharacterPairs(path: string): Set<string> {
  const text = path.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

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
  within?: string;
  viewers: readonly Viewer[];
  /** Viewers with this entry in their bottom bar: four per viewer, with a short name in `shell.bar`. */
  bar?: readonly Viewer[];
}

const EVERYONE: readonly Viewer[] = ["customer", "agent", "reseller", "admin"];

/** Entries of menu, bottom bar, breadcrumb and label editor, in order. */
const MENU: readonly MenuEntry[] = [
  {
    key: "dashboard",
    group: "groupWorkspace",
    icon: LayoutDashboard,
    href: "/dashboard",
    viewers: EVERYONE,
    bar: EVERYONE,
  },
  {
    key: "sites",
    group: "groupWorkspace",
    icon: Globe,
    href: "/sites",
    viewers: EVERYONE,
    bar: EVERYONE,
  },
  {
    key: "connections",
    group: "groupWorkspace",
    icon: Cable,
    href: "/connections",
    viewers: EVERYONE,
  },
  {
    key: "media",
    group: "groupWorkspace",
    icon: Images,
    href: "/media",
    viewers: EVERYONE,
  },
  {
    key: "snippets",
    group: "groupWorkspace",
    icon: TextQuote,
    href: "/snippets",
    viewers: EVERYONE,
  },
  {
    key: "team",
    group: "groupWorkspace",
    icon: Users,
    href: "/team",
    viewers: ["customer", "reseller", "admin"],
    bar: ["customer"],
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
    viewers: EVERYONE,
    bar: ["agent"],
  },
  {
    key: "resellerCustomers",
    group: "groupReseller",
    icon: ContactRound,
    href: "/reseller/customers",
    viewers: ["reseller"],
    bar: ["reseller"],
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
    within: "/admin",
    viewers: ["admin"],
    bar: ["admin"],
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
    within: "/settings",
    viewers: EVERYONE,
    bar: EVERYONE,
  },
];

export type MenuLabels = Partial<Record<string, string>>;

export function viewerOf(user: { role: "user" | "reseller" | "admin"; is_agent_only: boolean }): Viewer {
  if (user.role !== "user") return user.role;
  return user.is_agent_only ? "agent" : "customer";
}

export function menuFor(viewer: Viewer): { group: MenuGroupKey; entries: MenuEntry[] }[] {
  const groups = new Map<MenuGroupKey, MenuEntry[]>();
  for (const entry of MENU) {
    if (!entry.viewers.includes(viewer)) continue;
    const entries = groups.get(entry.group);
    if (entries) entries.push(entry);
    else groups.set(entry.group, [entry]);
  }
  return [...groups].map(([group, entries]) => ({ group, entries }));
}

export function addressOf(key: MenuEntry["key"]): Route {
  const entry = MENU.find((each) => each.key === key);
  if (!entry) throw new Error(`The menu has no entry "${key}".`);
  return entry.href;
}

/** Returns the entry of a page: the longest matching address wins. */
export function entryAt(pathname: string, entries: readonly MenuEntry[]): MenuEntry | undefined {
  const scope = (entry: MenuEntry) => entry.within ?? entry.href;
  return entries
    .filter((entry) => pathname === scope(entry) || pathname.startsWith(`${scope(entry)}/`))
    .sort((a, b) => scope(b).length - scope(a).length)[0];
}

export function nearestTo(pathname: string, entries: readonly MenuEntry[], count = 4): MenuEntry[] {
  const pathPairs = characterPairs(pathname);
  const similarity = ({ href }: MenuEntry) => {
    const entryPairs = characterPairs(href);
    return (
      (2 * [...entryPairs].filter((pair) => pathPairs.has(pair)).length) / (entryPairs.size + pathPairs.size)
    );
  };
  return entries
    .map((entry) => ({ entry, likeness: similarity(entry) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, count)
    .map(({ entry }) => entry);
}

/** Character pairs, whose overlap measures similarity (Sørensen–Dice). */
function characterPairs(path: string): Set<string> {
  const text = path.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

"use client";

import {
  ArrowRight,
  BookOpen,
  File,
  Globe,
  History,
  Monitor,
  Moon,
  PanelTop,
  Plus,
  Settings2,
  Sun,
  TextQuote,
  UserRound,
} from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { accountPath } from "@/components/billing/records/admin-paths";
import type { DocName } from "@/components/docs/doc-name";
import { CREATE_COMMANDS, JUMP_KEYS, PAGE_SECTIONS } from "@/components/navigation/commands";
import { getMenuPath, type MenuLabels, type Viewer } from "@/components/navigation/menu";
import { sitePath } from "@/components/sites/sites/site-path";
import type { PaletteGroup, PaletteItem } from "@/components/ui/popups/palette-popup";
import { applyTheme } from "@/components/ui/preference";
import type { Output } from "@/server/core/contract";
import { fold } from "@/server/core/fold";
import type { search } from "@/server/domains/tenancy/overview/contract";
import { RESULTS_MAX } from "@/server/domains/tenancy/overview/policy";
import type { listPageActions } from "./page-actions";
import { listRecentPages } from "./recent-pages";
import { type MenuGroups, useMenu } from "./use-menu";

type SearchResult = Output<typeof search>;
type EntryKind = "actions" | "people" | "sites" | "docs";

export interface PaletteOptions {
  viewer: Viewer;
  groups: MenuGroups;
  navigate: (href: string) => void;
  /** Opens a page and presses its create button. */
  openAndCreate: (path: string) => void;
}

interface PaletteInput extends PaletteOptions {
  labels: MenuLabels;
  /** The query without its prefix. */
  queryText: string;
  kindFilter: EntryKind | undefined;
  /** Matching records; undefined when none were searched. */
  records: SearchResult | undefined;
  docs: readonly DocName[];
  actions: PaletteItem[];
  /** Actions of the page behind the palette. */
  currentPageActions: ReturnType<typeof listPageActions>;
}

const THEME_ICONS = { light: <Sun />, dark: <Moon />, system: <Monitor /> } as const;
const THEMES = ["light", "dark", "system"] as const;

/** Entries that contain every word: panel pages and actions first, then records, then documentation. */
export function usePaletteGroups(input: PaletteInput): PaletteGroup[] {
  const {
    viewer,
    groups,
    labels,
    queryText,
    kindFilter,
    records,
    docs,
    navigate,
    openAndCreate,
    actions,
    currentPageActions,
  } = input;
  const t = useTranslations("palette");
  const theme = useTranslations("theme");
  const { getLabel } = useMenu(groups, labels);

  const searchTerms = fold(queryText).split(/\s+/).filter(Boolean);
  const hasTerms = searchTerms.length > 0;
  const matches = ({ label, detail = "" }: PaletteItem) => {
    const text = fold(`${label} ${detail}`);
    return searchTerms.every((term) => text.includes(term));
  };
  const isShown = (kind: EntryKind) => !kindFilter || kindFilter === kind;

  return [...panelGroups(), ...recordGroups(), ...docGroups()].filter(({ items }) => items.length > 0);

  function panelGroups(): PaletteGroup[] {
    const menuAndSettings = hasTerms ? [...menuItems(), ...settingsItems()] : menuItems();
    const candidates = [
      toGroup("recent", kindFilter || hasTerms ? [] : recentItems()),
      toGroup("page", isShown("actions") ? pageItems() : []),
      toGroup("go", kindFilter ? [] : menuAndSettings),
      toGroup("create", isShown("actions") ? createItems() : []),
      toGroup("actions", isShown("actions") ? [...actions, ...themeItems()] : []),
    ];
    return candidates.map((candidate) => ({ ...candidate, items: candidate.items.filter(matches) }));
  }

  function menuItems(): PaletteItem[] {
    return groups.flatMap(({ group, entries }) =>
      entries.map(({ key, href, icon: Icon }) => ({
        ...link(key, getLabel(key), <Icon />, href),
        detail: getLabel(group),
        keys: JUMP_KEYS[key] && `g ${JUMP_KEYS[key]}`,
      })),
    );
  }

  function settingsItems(): PaletteItem[] {
    return visibleKeys(PAGE_SECTIONS, viewer).map((key) => ({
      ...link(`place-${key}`, t(`places.${key}`), <Settings2 />, PAGE_SECTIONS[key].href),
      detail: getLabel("settings"),
    }));
  }

  function createItems(): PaletteItem[] {
    return visibleKeys(CREATE_COMMANDS, viewer).map((key) => {
      const item = { key: `create-${key}`, label: t(`create.${key}`), icon: <Plus /> };
      const command = CREATE_COMMANDS[key];
      if ("href" in command) return { ...item, onChoose: () => navigate(command.href) };
      return {
        ...item,
        detail: getLabel(command.entry),
        onChoose: () => openAndCreate(getMenuPath(command.entry)),
      };
    });
  }

  function recentItems(): PaletteItem[] {
    return listRecentPages().map(({ href, label }) => link(`recent-${href}`, label, <History />, href));
  }

  function themeItems(): PaletteItem[] {
    return THEMES.map((value) => ({
      key: `theme-${value}`,
      label: theme(value),
      detail: theme("label"),
      icon: THEME_ICONS[value],
      onChoose: () => applyTheme(value),
    }));
  }

  function pageItems(): PaletteItem[] {
    return currentPageActions.map(({ key, label, press }) => ({
      key,
      label,
      icon: <PanelTop />,
      onChoose: press,
    }));
  }

  function recordGroups(): PaletteGroup[] {
    if (!records) return [];
    const sites = recordGroup(
      "sites",
      records.sites.map((site) => ({
        ...link(`site-${site.id}`, site.name, <Globe />, sitePath(site.id)),
        detail: site.domain,
      })),
      getMenuPath("sites"),
    );
    const customers = recordGroup(
      "customers",
      records.customers.map((customer) => personItem(customer, `/reseller/customers/${customer.id}`)),
      getMenuPath("resellerCustomers"),
    );
    const users = recordGroup(
      "users",
      records.users.map((user) => personItem(user, accountPath(user.id))),
      getMenuPath("users"),
    );
    if (kindFilter === "people") return [customers, users];
    if (kindFilter === "sites") return [sites];
    const media = recordGroup(
      "media",
      records.media.map((file) =>
        link(`media-${file.id}`, file.name, <File />, searchPath(getMenuPath("media"), file.name)),
      ),
      getMenuPath("media"),
    );
    const snippets = recordGroup(
      "snippets",
      records.snippets.map(({ id, title }) =>
        link(`snippet-${id}`, title, <TextQuote />, searchPath(getMenuPath("snippets"), title)),
      ),
      getMenuPath("snippets"),
    );
    return [sites, customers, users, media, snippets];
  }

  function docGroups(): PaletteGroup[] {
    if (!isShown("docs") || !hasTerms) return [];
    const base = getMenuPath("docs");
    const items = docs.map(({ path, title, detail, english }) => ({
      ...link(`doc-${path}`, title, <BookOpen />, `${base}/${path}`),
      detail,
      lang: english ? "en" : undefined,
    }));
    return [
      { value: "docs", label: getLabel("docs"), items: limitItems("docs", items.filter(matches), base) },
    ];
  }

  function recordGroup(value: RecordGroup, items: PaletteItem[], listPath: string): PaletteGroup {
    return toGroup(value, limitItems(value, items, listPath));
  }

  /** The first items, then a link to all results when there may be more. */
  function limitItems(key: string, items: PaletteItem[], listPath: string): PaletteItem[] {
    if (items.length < RESULTS_MAX) return items;
    const allResults = searchPath(listPath, queryText.trim());
    return [
      ...items.slice(0, RESULTS_MAX),
      link(`${key}-all`, t("all"), <ArrowRight className="mirror" />, allResults),
    ];
  }

  function personItem(person: SearchResult["users"][number], href: string): PaletteItem {
    return { ...link(`person-${person.id}`, person.name, <UserRound />, href), detail: person.email };
  }

  function link(key: string, label: string, icon: ReactNode, href: string): PaletteItem {
    return { key, label, icon, onChoose: () => navigate(href) };
  }

  function toGroup(value: PanelGroup | RecordGroup, items: PaletteItem[]): PaletteGroup {
    return { value, label: t(`groups.${value}`), items };
  }
}

type PanelGroup = "recent" | "page" | "go" | "create" | "actions";
type RecordGroup = "sites" | "customers" | "users" | "media" | "snippets";

function searchPath(listPath: string, query: string): string {
  return `${listPath}?q=${encodeURIComponent(query)}`;
}

function visibleKeys<T extends Record<string, { viewers: readonly Viewer[] }>>(commands: T, viewer: Viewer) {
  const keys = Object.keys(commands) as Array<keyof T & string>;
  return keys.filter((key) => commands[key]!.viewers.includes(viewer));
}

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
import { getAccountPath } from "@/components/billing/records/admin-paths";
import type { DocName } from "@/components/docs/doc-name";
import { CREATE_COMMANDS, JUMP_KEYS, SETTINGS_PLACES } from "@/components/navigation/commands";
import { getMenuPath, type MenuLabels, type Viewer } from "@/components/navigation/menu";
import { getSitePath } from "@/components/sites/sites/site-path";
import type { PaletteGroup, PaletteItem } from "@/components/ui/popups/palette-popup";
import { applyTheme } from "@/components/ui/preference";
import type { Output } from "@/server/core/contract";
import { foldText } from "@/server/core/fold";
import type { search } from "@/server/domains/tenancy/overview/contract";
import { RESULTS_PER_KIND_MAX } from "@/server/domains/tenancy/overview/policy";
import type { listPageActions } from "./page-actions";
import { listRecentPages } from "./recent-pages";
import { type MenuGroups, useMenu } from "./use-menu";

type SearchResult = Output<typeof search>;
type EntryKind = "actions" | "people" | "sites" | "docs";

export interface PaletteOptions {
  viewer: Viewer;
  groups: MenuGroups;
  navigate: (href: string) => void;
  openAndCreate: (path: string) => void;
}

interface PaletteInput extends PaletteOptions {
  labels: MenuLabels;
  queryText: string;
  kindFilter: EntryKind | undefined;
  /** Matching records; undefined when none were searched, as with the filters `actions` and `docs`. */
  records: SearchResult | undefined;
  docs: readonly DocName[];
  actions: PaletteItem[];
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
  const themeTexts = useTranslations("theme");
  const { getLabel } = useMenu(groups, labels);

  const searchTerms = foldText(queryText).split(/\s+/).filter(Boolean);
  const hasTerms = searchTerms.length > 0;
  const matchesTerms = ({ label, detail = "" }: PaletteItem) => {
    const text = foldText(`${label} ${detail}`);
    return searchTerms.every((term) => text.includes(term));
  };
  const isShown = (kind: EntryKind) => !kindFilter || kindFilter === kind;

  return [...buildPanelGroups(), ...buildRecordGroups(), ...buildDocGroups()].filter(
    ({ items }) => items.length > 0,
  );

  function buildPanelGroups(): PaletteGroup[] {
    const menuAndSettings = hasTerms ? [...buildMenuItems(), ...buildSettingsItems()] : buildMenuItems();
    const candidates = [
      buildGroup("recent", kindFilter || hasTerms ? [] : buildRecentItems()),
      buildGroup("page", isShown("actions") ? buildCurrentPageActionItems() : []),
      buildGroup("go", kindFilter ? [] : menuAndSettings),
      buildGroup("create", isShown("actions") ? buildCreateItems() : []),
      buildGroup("actions", isShown("actions") ? [...actions, ...buildThemeItems()] : []),
    ];
    return candidates.map((candidate) => ({ ...candidate, items: candidate.items.filter(matchesTerms) }));
  }

  function buildMenuItems(): PaletteItem[] {
    return groups.flatMap(({ group, entries }) =>
      entries.map(({ key, href, icon: Icon }) => ({
        ...buildLinkItem(key, getLabel(key), <Icon />, href),
        detail: getLabel(group),
        shortcut: JUMP_KEYS[key] && `g ${JUMP_KEYS[key]}`,
      })),
    );
  }

  function buildSettingsItems(): PaletteItem[] {
    return listVisibleKeys(SETTINGS_PLACES, viewer).map((key) => ({
      ...buildLinkItem(`place-${key}`, t(`places.${key}`), <Settings2 />, SETTINGS_PLACES[key].href),
      detail: getLabel("settings"),
    }));
  }

  function buildCreateItems(): PaletteItem[] {
    return listVisibleKeys(CREATE_COMMANDS, viewer).map((key) => {
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

  function buildRecentItems(): PaletteItem[] {
    return listRecentPages().map(({ href, label }) =>
      buildLinkItem(`recent-${href}`, label, <History />, href),
    );
  }

  function buildThemeItems(): PaletteItem[] {
    return THEMES.map((value) => ({
      key: `theme-${value}`,
      label: themeTexts(value),
      detail: themeTexts("label"),
      icon: THEME_ICONS[value],
      onChoose: () => applyTheme(value),
    }));
  }

  function buildCurrentPageActionItems(): PaletteItem[] {
    return currentPageActions.map(({ key, label, press }) => ({
      key,
      label,
      icon: <PanelTop />,
      onChoose: press,
    }));
  }

  function buildRecordGroups(): PaletteGroup[] {
    if (!records) return [];
    const sites = buildRecordGroup(
      "sites",
      records.sites.map((site) => ({
        ...buildLinkItem(`site-${site.id}`, site.name, <Globe />, getSitePath(site.id)),
        detail: site.domain,
      })),
      getMenuPath("sites"),
    );
    const customers = buildRecordGroup(
      "customers",
      records.customers.map((customer) => buildPersonItem(customer, `/reseller/customers/${customer.id}`)),
      getMenuPath("resellerCustomers"),
    );
    const users = buildRecordGroup(
      "users",
      records.users.map((user) => buildPersonItem(user, getAccountPath(user.id))),
      getMenuPath("users"),
    );
    if (kindFilter === "people") return [customers, users];
    if (kindFilter === "sites") return [sites];
    const media = buildRecordGroup(
      "media",
      records.media.map((file) =>
        buildLinkItem(
          `media-${file.id}`,
          file.name,
          <File />,
          buildSearchPath(getMenuPath("media"), file.name),
        ),
      ),
      getMenuPath("media"),
    );
    const snippets = buildRecordGroup(
      "snippets",
      records.snippets.map(({ id, title }) =>
        buildLinkItem(`snippet-${id}`, title, <TextQuote />, buildSearchPath(getMenuPath("snippets"), title)),
      ),
      getMenuPath("snippets"),
    );
    return [sites, customers, users, media, snippets];
  }

  function buildDocGroups(): PaletteGroup[] {
    if (!isShown("docs") || !hasTerms) return [];
    const docsPath = getMenuPath("docs");
    const items = docs.map(({ path, title, detail, english }) => ({
      ...buildLinkItem(`doc-${path}`, title, <BookOpen />, `${docsPath}/${path}`),
      detail,
      lang: english ? "en" : undefined,
    }));
    const matchingItems = items.filter(matchesTerms);
    return [
      {
        value: "docs",
        label: getLabel("docs"),
        items: limitItems("docs", matchingItems, docsPath, matchingItems.length > RESULTS_PER_KIND_MAX),
      },
    ];
  }

  function buildRecordGroup(value: RecordGroup, items: PaletteItem[], listPath: string): PaletteGroup {
    return buildGroup(value, limitItems(value, items, listPath, records?.more.includes(value) ?? false));
  }

  function limitItems(key: string, items: PaletteItem[], listPath: string, hasMore: boolean): PaletteItem[] {
    if (!hasMore) return items;
    const allResults = buildSearchPath(listPath, queryText.trim());
    return [
      ...items.slice(0, RESULTS_PER_KIND_MAX),
      buildLinkItem(`${key}-all`, t("all"), <ArrowRight className="mirror" />, allResults),
    ];
  }

  function buildPersonItem(person: SearchResult["users"][number], href: string): PaletteItem {
    return {
      ...buildLinkItem(`person-${person.id}`, person.name, <UserRound />, href),
      detail: person.email,
    };
  }

  function buildLinkItem(key: string, label: string, icon: ReactNode, href: string): PaletteItem {
    return { key, label, icon, onChoose: () => navigate(href) };
  }

  function buildGroup(value: PanelGroup | RecordGroup, items: PaletteItem[]): PaletteGroup {
    return { value, label: t(`groups.${value}`), items };
  }
}

type PanelGroup = "recent" | "page" | "go" | "create" | "actions";
type RecordGroup = "sites" | "customers" | "users" | "media" | "snippets";

function buildSearchPath(listPath: string, query: string): string {
  return `${listPath}?q=${encodeURIComponent(query)}`;
}

function listVisibleKeys<T extends Record<string, { viewers: readonly Viewer[] }>>(
  commands: T,
  viewer: Viewer,
) {
  const keys = Object.keys(commands) as Array<keyof T & string>;
  return keys.filter((key) => commands[key]!.viewers.includes(viewer));
}

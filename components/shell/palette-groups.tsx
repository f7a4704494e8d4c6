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
import { accountPath } from "@/components/billing/records/account-path";
import type { DocName } from "@/components/docs/doc-name";
import { CREATE, JUMPS, PLACES } from "@/components/navigation/commands";
import { addressOf, type MenuLabels, type Viewer } from "@/components/navigation/menu";
import { sitePath } from "@/components/sites/sites/site-path";
import type { PaletteGroup, PaletteItem } from "@/components/ui/popups/palette-popup";
import { applyTheme } from "@/components/ui/preference";
import type { Output } from "@/server/core/contract";
import { fold } from "@/server/core/fold";
import type { search } from "@/server/domains/tenancy/overview/contract";
import { RESULTS_MAX } from "@/server/domains/tenancy/overview/policy";
import type { pageActions } from "./page-actions";
import { recentPages } from "./recent-pages";
import { type MenuGroups, useMenu } from "./use-menu";

type SearchResult = Output<typeof search>;
type Kind = "actions" | "people" | "sites" | "docs";

export interface PaletteOptions {
  viewer: Viewer;
  groups: MenuGroups;
  go: (href: string) => void;
  /** Opens a page and presses its create button. */
  createOn: (path: string) => void;
}

interface PaletteInput extends PaletteOptions {
  labels: MenuLabels;
  /** The query without its prefix. */
  words: string;
  only: Kind | undefined;
  /** Matching records; undefined when none were searched. */
  records: SearchResult | undefined;
  docs: readonly DocName[];
  actions: PaletteItem[];
  /** Actions of the page behind the palette. */
  page: ReturnType<typeof pageActions>;
}

const THEME_ICONS = { light: <Sun />, dark: <Moon />, system: <Monitor /> } as const;
const THEMES = ["light", "dark", "system"] as const;

/** Entries that contain every word: panel pages and actions first, then records, then documentation. */
export function usePaletteGroups(input: PaletteInput): PaletteGroup[] {
  const { viewer, groups, labels, words, only, records, docs, go, createOn, actions, page } = input;
  const t = useTranslations("palette");
  const theme = useTranslations("theme");
  const { name } = useMenu(groups, labels);

  const terms = fold(words).split(/\s+/).filter(Boolean);
  const hasTerms = terms.length > 0;
  const matches = ({ label, detail = "" }: PaletteItem) => {
    const text = fold(`${label} ${detail}`);
    return terms.every((term) => text.includes(term));
  };
  const isShown = (kind: Kind) => !only || only === kind;

  return [...panelGroups(), ...recordGroups(), ...docGroups()].filter(({ items }) => items.length > 0);

  function panelGroups(): PaletteGroup[] {
    const menuAndSettings = hasTerms ? [...menuItems(), ...settingsItems()] : menuItems();
    const candidates = [
      toGroup("recent", only || hasTerms ? [] : recentItems()),
      toGroup("page", isShown("actions") ? pageItems() : []),
      toGroup("go", only ? [] : menuAndSettings),
      toGroup("create", isShown("actions") ? createItems() : []),
      toGroup("actions", isShown("actions") ? [...actions, ...themeItems()] : []),
    ];
    return candidates.map((candidate) => ({ ...candidate, items: candidate.items.filter(matches) }));
  }

  function menuItems(): PaletteItem[] {
    return groups.flatMap(({ group, entries }) =>
      entries.map(({ key, href, icon: Icon }) => ({
        ...link(key, name(key), <Icon />, href),
        detail: name(group),
        keys: JUMPS[key] && `g ${JUMPS[key]}`,
      })),
    );
  }

  function settingsItems(): PaletteItem[] {
    return visibleKeys(PLACES, viewer).map((key) => ({
      ...link(`place-${key}`, t(`places.${key}`), <Settings2 />, PLACES[key].href),
      detail: name("settings"),
    }));
  }

  function createItems(): PaletteItem[] {
    return visibleKeys(CREATE, viewer).map((key) => {
      const item = { key: `create-${key}`, label: t(`create.${key}`), icon: <Plus /> };
      const command = CREATE[key];
      if ("href" in command) return { ...item, onChoose: () => go(command.href) };
      return { ...item, detail: name(command.entry), onChoose: () => createOn(addressOf(command.entry)) };
    });
  }

  function recentItems(): PaletteItem[] {
    return recentPages().map(({ href, label }) => link(`recent-${href}`, label, <History />, href));
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
    return page.map(({ key, label, press }) => ({ key, label, icon: <PanelTop />, onChoose: press }));
  }

  function recordGroups(): PaletteGroup[] {
    if (!records) return [];
    const sites = recordGroup(
      "sites",
      records.sites.map((site) => ({
        ...link(`site-${site.id}`, site.name, <Globe />, sitePath(site.id)),
        detail: site.domain,
      })),
      addressOf("sites"),
    );
    const customers = recordGroup(
      "customers",
      records.customers.map((customer) => personItem(customer, `/reseller/customers/${customer.id}`)),
      addressOf("resellerCustomers"),
    );
    const users = recordGroup(
      "users",
      records.users.map((user) => personItem(user, accountPath(user.id))),
      addressOf("users"),
    );
    if (only === "people") return [customers, users];
    if (only === "sites") return [sites];
    const media = recordGroup(
      "media",
      records.media.map((file) =>
        link(`media-${file.id}`, file.name, <File />, searchPath(addressOf("media"), file.name)),
      ),
      addressOf("media"),
    );
    const snippets = recordGroup(
      "snippets",
      records.snippets.map(({ id, title }) =>
        link(`snippet-${id}`, title, <TextQuote />, searchPath(addressOf("snippets"), title)),
      ),
      addressOf("snippets"),
    );
    return [sites, customers, users, media, snippets];
  }

  function docGroups(): PaletteGroup[] {
    if (!isShown("docs") || !hasTerms) return [];
    const base = addressOf("docs");
    const items = docs.map(({ path, title, detail, english }) => ({
      ...link(`doc-${path}`, title, <BookOpen />, `${base}/${path}`),
      detail,
      lang: english ? "en" : undefined,
    }));
    return [{ value: "docs", label: name("docs"), items: firstOf("docs", items.filter(matches), base) }];
  }

  function recordGroup(value: RecordGroup, items: PaletteItem[], listPath: string): PaletteGroup {
    return toGroup(value, firstOf(value, items, listPath));
  }

  /** The first items, then a link to all results when there may be more. */
  function firstOf(key: string, items: PaletteItem[], listPath: string): PaletteItem[] {
    if (items.length < RESULTS_MAX) return items;
    const allResults = searchPath(listPath, words.trim());
    return [
      ...items.slice(0, RESULTS_MAX),
      link(`${key}-all`, t("all"), <ArrowRight className="mirror" />, allResults),
    ];
  }

  function personItem(person: SearchResult["users"][number], href: string): PaletteItem {
    return { ...link(`person-${person.id}`, person.name, <UserRound />, href), detail: person.email };
  }

  function link(key: string, label: string, icon: ReactNode, href: string): PaletteItem {
    return { key, label, icon, onChoose: () => go(href) };
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

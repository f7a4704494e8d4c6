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
import { FOUND_MAX } from "@/server/domains/tenancy/overview/policy";
import type { pageActions } from "./page-actions";
import { recentPlaces } from "./recent-places";
import { type MenuGroups, useMenu } from "./use-menu";

type Found = Output<typeof search>;

export interface PaletteOptions {
  viewer: Viewer;
  groups: MenuGroups;
  go: (href: string) => void;
  /** Opens a page, and what it begins something new with. */
  begin: (path: string) => void;
}

interface Asked extends PaletteOptions {
  labels: MenuLabels;
  words: string;
  /** The only kind that is wanted. */
  only: "actions" | "people" | "sites" | "docs" | undefined;
  /** Records, where some were searched. */
  found: Found | undefined;
  /** What the documentation has. */
  docs: readonly DocName[];
  actions: PaletteItem[];
  /** Those of the page below. */
  page: ReturnType<typeof pageActions>;
}

const THEMES = { light: <Sun />, dark: <Moon />, system: <Monitor /> } as const;

/** What of the panel has all the words: its own places first, then records. Without words the places alone. */
export function usePaletteGroups(asked: Asked) {
  const { viewer, groups, labels, words, only, found, docs, go, begin, actions, page } = asked;
  const t = useTranslations("palette");
  const theme = useTranslations("theme");
  const { name } = useMenu(groups, labels);
  const wants = (kind: typeof only) => !only || only === kind;
  const parts = fold(words).split(/\s+/).filter(Boolean);
  const matches = ({ label, detail = "" }: PaletteItem) => {
    const text = fold(`${label} ${detail}`);
    return parts.every((part) => text.includes(part));
  };
  const goes = (key: string, label: string, icon: ReactNode, href: string): PaletteItem => ({
    key,
    label,
    icon,
    onChoose: () => go(href),
  });

  const pages = groups.flatMap(({ group, entries }) =>
    entries.map(({ key, href, icon: Icon }) => ({
      ...goes(key, name(key), <Icon />, href),
      detail: name(group),
      keys: JUMPS[key] && `g ${JUMPS[key]}`,
    })),
  );
  const places = visible(PLACES, viewer).map((key) => ({
    ...goes(`place-${key}`, t(`places.${key}`), <Settings2 />, PLACES[key].href),
    detail: name("settings"),
  }));
  const create = visible(CREATE, viewer).map((key): PaletteItem => {
    const item = { key: `create-${key}`, label: t(`create.${key}`), icon: <Plus /> };
    const what = CREATE[key];
    return "href" in what
      ? { ...item, onChoose: () => go(what.href) }
      : { ...item, detail: name(what.entry), onChoose: () => begin(addressOf(what.entry)) };
  });
  const recent = recentPlaces().map(({ href, label }) => goes(`recent-${href}`, label, <History />, href));
  const looks = (["light", "dark", "system"] as const).map((value) => ({
    key: `theme-${value}`,
    label: theme(value),
    detail: theme("label"),
    icon: THEMES[value],
    onChoose: () => applyTheme(value),
  }));

  const here = page.map(({ key, label, press }) => ({ key, label, icon: <PanelTop />, onChoose: press }));

  const own: PaletteGroup[] = [
    ...(only || parts.length > 0 ? [] : [{ value: "recent", label: t("groups.recent"), items: recent }]),
    ...(wants("actions") ? [{ value: "page", label: t("groups.page"), items: here }] : []),
    ...(only
      ? []
      : [{ value: "go", label: t("groups.go"), items: [...pages, ...(parts.length ? places : [])] }]),
    ...(wants("actions")
      ? [
          { value: "create", label: t("groups.create"), items: create },
          { value: "actions", label: t("groups.actions"), items: [...actions, ...looks] },
        ]
      : []),
  ].map((group) => ({ ...group, items: group.items.filter(matches) }));
  return [...own, ...records(), ...documentation()].filter(({ items }) => items.length > 0);

  /** The first of what was found, and the way to all of it. */
  function first(value: string, items: PaletteItem[], all: string): PaletteItem[] {
    if (items.length < FOUND_MAX) return items;
    const address = `${all}?q=${encodeURIComponent(words.trim())}`;
    return [
      ...items.slice(0, FOUND_MAX),
      goes(`${value}-all`, t("all"), <ArrowRight className="mirror" />, address),
    ];
  }

  function documentation(): PaletteGroup[] {
    if (!wants("docs") || parts.length === 0) return [];
    const base = addressOf("docs");
    const items = docs.map(({ path, title, detail, english }) => ({
      ...goes(`doc-${path}`, title, <BookOpen />, `${base}/${path}`),
      detail,
      lang: english ? "en" : undefined,
    }));
    return [{ value: "docs", label: name("docs"), items: first("docs", items.filter(matches), base) }];
  }

  function records(): PaletteGroup[] {
    if (!found) return [];
    const list = (
      value: "sites" | "media" | "snippets" | "users" | "customers",
      items: PaletteItem[],
      all: string,
    ) => ({ value, label: t(`groups.${value}`), items: first(value, items, all) });
    const person = (base: (id: number) => string) => (each: Found["users"][number]) => ({
      ...goes(`person-${each.id}`, each.name, <UserRound />, base(each.id)),
      detail: each.email,
    });
    const people = [
      list(
        "customers",
        found.customers.map(person((id) => `/reseller/customers/${id}`)),
        addressOf("resellerCustomers"),
      ),
      list("users", found.users.map(person(accountPath)), addressOf("users")),
    ];
    const sites = list(
      "sites",
      found.sites.map((site) => ({
        ...goes(`site-${site.id}`, site.name, <Globe />, sitePath(site.id)),
        detail: site.domain,
      })),
      addressOf("sites"),
    );
    if (only === "people") return people;
    if (only === "sites") return [sites];
    const query = (text: string) => `?q=${encodeURIComponent(text)}`;
    return [
      sites,
      ...people,
      list(
        "media",
        found.media.map(({ id, name: file }) =>
          goes(`media-${id}`, file, <File />, addressOf("media") + query(file)),
        ),
        addressOf("media"),
      ),
      list(
        "snippets",
        found.snippets.map(({ id, title }) =>
          goes(`snippet-${id}`, title, <TextQuote />, addressOf("snippets") + query(title)),
        ),
        addressOf("snippets"),
      ),
    ];
  }
}

/** The keys of what this kind of person may open. */
function visible<T extends Record<string, { viewers: readonly Viewer[] }>>(all: T, viewer: Viewer) {
  return (Object.keys(all) as Array<keyof T & string>).filter((key) => all[key]!.viewers.includes(viewer));
}

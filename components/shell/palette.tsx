"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { Keyboard, LogOut } from "lucide-react";
import { useTranslations } from "next-intl";
import { type RefObject, use, useEffect, useRef, useState } from "react";
import { api } from "@/components/api/client";
import { PalettePopup } from "@/components/ui/popups/palette-popup";
import { useNavigate } from "@/components/ui/use-navigate";
import { fold } from "@/server/core/fold";
import { SEARCH_MAX, SEARCH_MIN } from "@/server/domains/tenancy/overview/policy";
import { createOnPage } from "./create-on-page";
import { MenuContext } from "./menu-context";
import { pageActions } from "./page-actions";
import { type PaletteOptions, usePaletteGroups } from "./palette-groups";
import { useDocNames } from "./use-doc-names";

const TYPING_DELAY = 250;
/** Prefixes that restrict the palette to one kind of entry. */
const PREFIXES = { ">": "actions", "@": "people", "#": "sites", "/": "docs" } as const;

export interface PaletteProps extends Omit<PaletteOptions, "go" | "createOn"> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  query: string;
  onQuery: (query: string) => void;
  /** Element focused before the palette opened. */
  opener: RefObject<HTMLElement | null>;
  onShortcuts: () => void;
  onSignOut: () => void | Promise<void>;
}

/** Command palette: finds pages, settings, records, documentation and actions by name. */
export function Palette({ onShortcuts, onSignOut, ...props }: PaletteProps) {
  const { open, onOpenChange, query, onQuery, opener, ...options } = props;
  const t = useTranslations("palette");
  const { labels } = use(MenuContext);
  const [page, setPage] = useState<ReturnType<typeof pageActions>>([]);
  const openPage = useNavigate();
  // Without restoring the focus: a new page focuses its heading, a dialog its content.
  const hasLeft = useRef(false);
  useEffect(() => {
    if (!open) return;
    hasLeft.current = false;
    setPage(pageActions());
  }, [open]);

  function closeThen(then: () => void) {
    hasLeft.current = true;
    onOpenChange(false);
    then();
  }

  const [prefix, words] = splitPrefix(query);
  const searchText = useDebounced(words.trim().slice(0, SEARCH_MAX));
  const includesRecords = prefix !== "actions" && prefix !== "docs";
  const isSearching = open && includesRecords && [...fold(searchText)].length >= SEARCH_MIN;
  const { data, isFetching } = api.overview.search.useQuery(
    { query: { q: searchText } },
    { enabled: isSearching, placeholderData: keepPreviousData },
  );
  const hasDocs = options.groups.some(({ entries }) => entries.some(({ key }) => key === "docs"));
  const isLongEnough = words.trim().length >= SEARCH_MIN;
  const docs = useDocNames(open && hasDocs && isLongEnough && (!prefix || prefix === "docs"));
  const groups = usePaletteGroups({
    ...options,
    labels,
    words,
    only: prefix,
    records: isSearching ? data : undefined,
    docs: docs.names,
    go: (href) => closeThen(() => openPage(href)),
    createOn: (path) => closeThen(() => createOnPage(path, openPage)),
    page: page.map((action) => ({ ...action, press: () => closeThen(action.press) })),
    actions: [
      {
        key: "shortcuts",
        label: t("actions.shortcuts"),
        icon: <Keyboard />,
        keys: "?",
        onChoose: () => closeThen(onShortcuts),
      },
      {
        key: "signOut",
        label: t("actions.signOut"),
        icon: <LogOut className="mirror" />,
        onChoose: () => closeThen(() => void onSignOut()),
      },
    ],
  });
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const isBusy = isFetching || docs.isFetching || searchText !== words.trim().slice(0, SEARCH_MAX);
  return (
    <PalettePopup
      open={open}
      onOpenChange={onOpenChange}
      finalFocus={() => !hasLeft.current && (opener.current ?? true)}
      title={t("title")}
      placeholder={t("placeholder")}
      query={query}
      onQuery={onQuery}
      groups={groups}
      empty={isBusy ? t("searching") : t("empty")}
      status={isBusy ? "" : t("found", { count })}
    />
  );
}

function splitPrefix(
  query: string,
): [prefix: (typeof PREFIXES)[keyof typeof PREFIXES] | undefined, words: string] {
  const firstCharacter = query.trimStart().charAt(0);
  return firstCharacter in PREFIXES
    ? [PREFIXES[firstCharacter as keyof typeof PREFIXES], query.trimStart().slice(1)]
    : [undefined, query];
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setDebounced(text), TYPING_DELAY);
    return () => window.clearTimeout(timer);
  }, [text]);
  return debounced;
}

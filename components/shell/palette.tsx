"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { Keyboard, LogOut } from "lucide-react";
import { useTranslations } from "next-intl";
import { type RefObject, use, useEffect, useRef, useState } from "react";
import { api } from "@/components/api/client";
import { PalettePopup } from "@/components/ui/popups/palette-popup";
import { useNavigate } from "@/components/ui/use-navigate";
import { fold } from "@/server/core/fold";
import { SEARCH_MAX_LENGTH, SEARCH_MIN_LENGTH } from "@/server/domains/tenancy/overview/policy";
import { createOnPage } from "./create-on-page";
import { MenuContext } from "./menu-context";
import { listPageActions } from "./page-actions";
import { type PaletteOptions, usePaletteGroups } from "./palette-groups";
import { useDocNames } from "./use-doc-names";

const TYPING_DELAY_MS = 250;
/** Prefixes that restrict the palette to one kind of entry. */
const PREFIXES = { ">": "actions", "@": "people", "#": "sites", "/": "docs" } as const;

export interface PaletteProps extends Omit<PaletteOptions, "navigate" | "openAndCreate"> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  query: string;
  onQueryChange: (query: string) => void;
  opener: RefObject<HTMLElement | null>;
  onShortcuts: () => void;
  onSignOut: () => void | Promise<void>;
}

export function Palette({ onShortcuts, onSignOut, ...props }: PaletteProps) {
  const { open, onOpenChange, query, onQueryChange, opener, ...options } = props;
  const t = useTranslations("palette");
  const { labels } = use(MenuContext);
  const [currentPageActions, setCurrentPageActions] = useState<ReturnType<typeof listPageActions>>([]);
  const navigate = useNavigate();
  // Do not restore the focus after an action: a new page focuses its heading, a dialog its content.
  const hasLeft = useRef(false);
  useEffect(() => {
    if (!open) return;
    hasLeft.current = false;
    setCurrentPageActions(listPageActions());
  }, [open]);

  function closeThen(action: () => void) {
    hasLeft.current = true;
    onOpenChange(false);
    action();
  }

  const [prefix, queryText] = splitPrefix(query);
  const searchText = useDebounced(queryText.trim().slice(0, SEARCH_MAX_LENGTH));
  const includesRecords = prefix !== "actions" && prefix !== "docs";
  const isSearching = open && includesRecords && [...fold(searchText)].length >= SEARCH_MIN_LENGTH;
  const { data, isFetching } = api.overview.search.useQuery(
    { query: { q: searchText } },
    { enabled: isSearching, placeholderData: keepPreviousData },
  );
  const hasDocs = options.groups.some(({ entries }) => entries.some(({ key }) => key === "docs"));
  const isLongEnough = queryText.trim().length >= SEARCH_MIN_LENGTH;
  const docs = useDocNames(open && hasDocs && isLongEnough && (!prefix || prefix === "docs"));
  const groups = usePaletteGroups({
    ...options,
    labels,
    queryText,
    kindFilter: prefix,
    records: isSearching ? data : undefined,
    docs: docs.names,
    navigate: (href) => closeThen(() => navigate(href)),
    openAndCreate: (path) => closeThen(() => createOnPage(path, navigate)),
    currentPageActions: currentPageActions.map((action) => ({
      ...action,
      press: () => closeThen(action.press),
    })),
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
  const isBusy = isFetching || docs.isFetching || searchText !== queryText.trim().slice(0, SEARCH_MAX_LENGTH);
  return (
    <PalettePopup
      open={open}
      onOpenChange={onOpenChange}
      finalFocus={() => !hasLeft.current && (opener.current ?? true)}
      title={t("title")}
      placeholder={t("placeholder")}
      query={query}
      onQueryChange={onQueryChange}
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
  const [debouncedText, setDebouncedText] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setDebouncedText(text), TYPING_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return debouncedText;
}

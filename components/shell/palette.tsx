"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { Keyboard, LogOut } from "lucide-react";
import { useTranslations } from "next-intl";
import { type RefObject, use, useEffect, useRef, useState } from "react";
import { api } from "@/components/api/client";
import { PalettePopup } from "@/components/ui/popups/palette-popup";
import { useDebounced } from "@/components/ui/use-debounced";
import { useNavigate } from "@/components/ui/use-navigate";
import { foldText } from "@/server/core/fold";
import { SEARCH_MAX_LENGTH, SEARCH_MIN_LENGTH } from "@/server/domains/tenancy/overview/policy";
import { pressCreateOnPage } from "./create-on-page";
import { MenuContext } from "./menu-context";
import { listPageActions } from "./page-actions";
import { type PaletteOptions, usePaletteGroups } from "./palette-groups";
import { useDocNames } from "./use-doc-names";

/** Prefixes that restrict the palette to one kind of entry. */
const KIND_BY_PREFIX = { ">": "actions", "@": "people", "#": "sites", "/": "docs" } as const;

export interface PaletteProps extends Omit<PaletteOptions, "navigate" | "openAndCreate"> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  query: string;
  onQueryChange: (query: string) => void;
  opener: RefObject<HTMLElement | null>;
  onShowShortcuts: () => void;
  onSignOut: () => void | Promise<void>;
}

export function Palette({ onShowShortcuts, onSignOut, ...props }: PaletteProps) {
  const { open, onOpenChange, query, onQueryChange, opener, ...options } = props;
  const t = useTranslations("palette");
  const { labels } = use(MenuContext);
  const [currentPageActions, setCurrentPageActions] = useState<ReturnType<typeof listPageActions>>([]);
  const navigate = useNavigate();
  // Do not restore the focus after an action: a new page focuses its heading, a dialog its content.
  const hasRunAction = useRef(false);
  useEffect(() => {
    if (!open) return;
    hasRunAction.current = false;
    setCurrentPageActions(listPageActions());
  }, [open]);

  function closeThen(action: () => void) {
    hasRunAction.current = true;
    onOpenChange(false);
    action();
  }

  const [kindFilter, queryText] = splitKindPrefix(query);
  const searchText = useDebounced(queryText.trim().slice(0, SEARCH_MAX_LENGTH));
  const includesRecords = kindFilter !== "actions" && kindFilter !== "docs";
  const isSearching = open && includesRecords && [...foldText(searchText)].length >= SEARCH_MIN_LENGTH;
  const { data, isFetching } = api.overview.search.useQuery(
    { query: { q: searchText } },
    { enabled: isSearching, placeholderData: keepPreviousData },
  );
  const hasDocs = options.groups.some(({ entries }) => entries.some(({ key }) => key === "docs"));
  const isQueryLongEnough = queryText.trim().length >= SEARCH_MIN_LENGTH;
  const docs = useDocNames(open && hasDocs && isQueryLongEnough && (!kindFilter || kindFilter === "docs"));
  const groups = usePaletteGroups({
    ...options,
    labels,
    queryText,
    kindFilter,
    records: isSearching ? data : undefined,
    docs: docs.names,
    navigate: (href) => closeThen(() => navigate(href)),
    openAndCreate: (path) => closeThen(() => pressCreateOnPage(path, navigate)),
    currentPageActions: currentPageActions.map((action) => ({
      ...action,
      press: () => closeThen(action.press),
    })),
    actions: [
      {
        key: "shortcuts",
        label: t("actions.shortcuts"),
        icon: <Keyboard />,
        shortcut: "?",
        onChoose: () => closeThen(onShowShortcuts),
      },
      {
        key: "signOut",
        label: t("actions.signOut"),
        icon: <LogOut className="mirror" />,
        onChoose: () => closeThen(() => void onSignOut()),
      },
    ],
  });
  const itemCount = groups.reduce((sum, { items }) => sum + items.length, 0);
  const isBusy = isFetching || docs.isFetching || searchText !== queryText.trim().slice(0, SEARCH_MAX_LENGTH);
  return (
    <PalettePopup
      open={open}
      onOpenChange={onOpenChange}
      finalFocus={() => !hasRunAction.current && (opener.current ?? true)}
      title={t("title")}
      placeholder={t("placeholder")}
      query={query}
      onQueryChange={onQueryChange}
      groups={groups}
      emptyText={isBusy ? t("searching") : t("empty")}
      resultCountText={isBusy ? "" : t("found", { count: itemCount })}
    />
  );
}

function splitKindPrefix(
  query: string,
): [prefix: (typeof KIND_BY_PREFIX)[keyof typeof KIND_BY_PREFIX] | undefined, words: string] {
  const firstCharacter = query.trimStart().charAt(0);
  return firstCharacter in KIND_BY_PREFIX
    ? [KIND_BY_PREFIX[firstCharacter as keyof typeof KIND_BY_PREFIX], query.trimStart().slice(1)]
    : [undefined, query];
}

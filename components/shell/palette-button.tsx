"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { JUMP_KEYS } from "@/components/navigation/commands";
import type { Viewer } from "@/components/navigation/menu";
import { lazyPart, POPUP } from "@/components/ui/lazy-part";
import { PalettePlaceholder } from "@/components/ui/popups/palette-parts";
import { useNavigate } from "@/components/ui/use-navigate";
import { listActiveKeys } from "./list-keys";
import type { PaletteProps } from "./palette";
import { listenForShortcutSheet } from "./shortcut-sheet-event";
import type { MenuGroups } from "./use-menu";
import { useShortcuts } from "./use-shortcuts";

const Palette = lazyPart(() => import("./palette").then((file) => file.Palette), {
  ...POPUP,
  loading: LoadingPalette,
});
const ShortcutSheet = lazyPart(() => import("./shortcut-sheet").then((file) => file.ShortcutSheet), POPUP);

/** The same in every language, as printed on keyboards. */
const SHORTCUT_LABEL = "Ctrl K";

export interface PaletteButtonProps {
  viewer: Viewer;
  groups: MenuGroups;
  onSignOut: () => void | Promise<void>;
}

export function PaletteButton(props: PaletteButtonProps) {
  const t = useTranslations("palette");
  const [isOpen, setOpen] = useState<boolean>();
  const [query, setQuery] = useState("");
  const opener = useRef<HTMLElement>(null);
  const [shortcutSheet, setShortcutSheet] = useState<{ open: boolean; activeKeys: ReadonlySet<string> }>();
  const showShortcuts = useCallback(() => setShortcutSheet({ open: true, activeKeys: listActiveKeys() }), []);
  const navigate = useNavigate();
  useEffect(() => listenForShortcutSheet(showShortcuts), [showShortcuts]);
  function showPalette() {
    const { activeElement, body } = document;
    opener.current = activeElement instanceof HTMLElement && activeElement !== body ? activeElement : null;
    setQuery("");
    setOpen(true);
  }
  useShortcuts({
    onOpenPalette: showPalette,
    onShowShortcuts: showShortcuts,
    onJump: (letter) => {
      const entries = props.groups.flatMap(({ entries }) => entries);
      const entry = entries.find(({ key }) => JUMP_KEYS[key] === letter);
      if (entry) navigate(entry.href);
      return entry !== undefined;
    },
  });
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen ?? false}
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={Palette.preload}
        onFocus={Palette.preload}
        onClick={showPalette}
        className="flex min-h-control min-w-control items-center justify-center gap-2 rounded-control border border-transparent text-fg-muted text-sm hover:bg-sunken hover:text-fg md:border-border md:px-3"
      >
        <Search className="size-[1.125rem]" />
        <span className="max-md:sr-only">{t("button")}</span>
        <kbd
          aria-hidden
          dir="ltr"
          className="rounded-control border border-border px-1.5 text-caption text-fg-subtle max-lg:hidden pointer-coarse:hidden"
        >
          {SHORTCUT_LABEL}
        </kbd>
      </button>
      {isOpen === undefined ? null : (
        <Palette
          {...props}
          {...{ open: isOpen, query, opener }}
          onOpenChange={setOpen}
          onQueryChange={setQuery}
          onShowShortcuts={showShortcuts}
        />
      )}
      {shortcutSheet ? (
        <ShortcutSheet
          {...shortcutSheet}
          groups={props.groups}
          onOpenChange={(open) => setShortcutSheet({ ...shortcutSheet, open })}
        />
      ) : null}
    </>
  );
}

/** Accepts input until the palette has loaded. */
function LoadingPalette({ open, onOpenChange, query, onQueryChange, opener }: PaletteProps) {
  const t = useTranslations("palette");
  if (!open) return null;
  return (
    <PalettePlaceholder
      title={t("title")}
      placeholder={t("placeholder")}
      {...{ query, opener, onQueryChange }}
      onClose={() => onOpenChange(false)}
    />
  );
}

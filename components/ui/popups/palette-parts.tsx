"use client";

import { Search } from "lucide-react";
import type { ReactNode, RefObject } from "react";

export const paletteBoxClass =
  "layer-dialog fixed inset-x-2 top-2 mx-auto flex max-h-[calc(100dvh-1rem)] max-w-xl flex-col overflow-clip rounded-dialog border border-border bg-raised text-fg shadow-3 outline-none transition-opacity duration-120 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0 sm:top-[12dvh] sm:max-h-[min(34rem,76dvh)]";

interface PalettePlaceholderProps {
  title: string;
  placeholder: string;
  query: string;
  onQueryChange: (query: string) => void;
  /** Receives the focus on close. */
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/**
 * Dialog shown while the palette loads. The palette takes over the typed text and looks the same, so it
 * shares the parts below. `data-opening` pauses the page's shortcuts.
 */
export function PalettePlaceholder({
  title,
  placeholder,
  query,
  onQueryChange,
  opener,
  onClose,
}: PalettePlaceholderProps) {
  function close() {
    onClose();
    opener.current?.focus({ preventScroll: true });
  }
  return (
    <div role="dialog" aria-label={title} aria-busy data-opening className={paletteBoxClass}>
      <PaletteInputRow>
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette opens for typing
          autoFocus
          {...getPaletteInputProps(placeholder)}
          value={query}
          onChange={({ target }) => onQueryChange(target.value)}
          // Keep it open when the whole window loses the focus.
          onBlur={({ target }) => {
            if (document.activeElement !== target) onClose();
          }}
          onKeyDown={({ key }) => {
            if (key === "Escape") close();
          }}
        />
      </PaletteInputRow>
    </div>
  );
}

export function PaletteInputRow({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 border-border border-b ps-4 pe-2">
      <Search className="size-[1.125rem] shrink-0 text-fg-subtle" />
      {children}
    </div>
  );
}

export function getPaletteInputProps(placeholder: string) {
  return {
    "aria-label": placeholder,
    placeholder,
    dir: "auto",
    autoCapitalize: "none",
    autoCorrect: "off",
    spellCheck: false,
    enterKeyHint: "go",
    className:
      "h-14 w-full min-w-0 bg-transparent text-base text-fg outline-none placeholder:text-fg-subtle focus-visible:outline-none",
  } as const;
}

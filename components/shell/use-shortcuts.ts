"use client";

import { useEffect, useRef } from "react";
import { hasOpenPopup } from "@/components/ui/open-popup";
import { hasSingleKeyShortcuts } from "@/components/ui/preference";
import { getShortcutKey } from "@/components/ui/shortcut-key";
import { pressListKey, pressUndo } from "./list-keys";

/** Maximum time between `g` and the second key. */
const SEQUENCE_TIMEOUT_MS = 1500;
/** Excludes checkboxes: they use only the space bar. */
const TEXT_FIELD_SELECTOR = "input:not([type=checkbox]), textarea, select, [contenteditable=true]";
interface ShortcutHandlers {
  /** Ctrl/⌘ K, and `/` on pages without a search field. */
  onOpenPalette: () => void;
  onShowShortcuts: () => void;
  /** `g` and a letter. Returns false for an unassigned letter. */
  onJump: (letter: string) => boolean;
}

/** Binds the panel's shortcuts. An open popup disables all of them, typing disables single keys. */
export function useShortcuts(handlers: ShortcutHandlers): void {
  const latestHandlers = useRef(handlers);
  useEffect(() => {
    latestHandlers.current = handlers;
  });
  useEffect(() => {
    // Event time stamps start at 0 with the document.
    let sequenceStartedAt = -SEQUENCE_TIMEOUT_MS;
    function handleKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || hasOpenPopup()) return;
      const key = getShortcutKey(event);
      const isTyping = event.target instanceof Element && event.target.matches(TEXT_FIELD_SELECTOR);
      if (event.ctrlKey || event.metaKey) {
        if (event.altKey || event.shiftKey) return;
        if (key === "k") {
          event.preventDefault();
          latestHandlers.current.onOpenPalette();
        } else if (key === "z" && !isTyping && !event.repeat && pressUndo()) event.preventDefault();
        return;
      }
      if (isTyping || event.altKey || event.repeat || !hasSingleKeyShortcuts()) return;
      // On buttons and checkboxes the space bar has its own effect.
      if (key === " " && !(event.target instanceof HTMLAnchorElement)) return;
      const isSequence = event.timeStamp - sequenceStartedAt < SEQUENCE_TIMEOUT_MS;
      sequenceStartedAt = -SEQUENCE_TIMEOUT_MS;
      if (isSequence && latestHandlers.current.onJump(key)) return event.preventDefault();
      if (key === "g") sequenceStartedAt = event.timeStamp;
      else if (event.key === "?" || event.key === "؟") {
        event.preventDefault();
        latestHandlers.current.onShowShortcuts();
      } else if (event.key === "/") {
        event.preventDefault();
        const search = document.querySelector<HTMLElement>("main input[type=search]");
        if (search) search.focus();
        else latestHandlers.current.onOpenPalette();
      } else if (pressListKey(event.shiftKey ? `Shift ${key}` : key)) event.preventDefault();
    }
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, []);
}

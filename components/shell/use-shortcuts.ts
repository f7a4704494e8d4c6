"use client";

import { useEffect, useRef } from "react";
import { letterOf } from "@/components/ui/letter-of";
import { hasSingleKeys } from "@/components/ui/preference";
import { pressListKey, pressUndo } from "./list-keys";

/** Milliseconds allowed between `g` and the second key. */
const SEQUENCE_TIMEOUT = 1500;
/** Without checkboxes, which use the space bar only. */
const TEXT_FIELD = "input:not([type=checkbox]), textarea, select, [contenteditable=true]";
/** Open or opening popups. Excludes those that fade out, and toasts, which only have the role of a dialog. */
const OPEN_POPUP =
  ":is([role=dialog], [role=alertdialog], [role=menu], [role=listbox]:not(main *), [data-opening]):not([data-closed], [data-closed] *, [data-toast])";

interface Shortcuts {
  /** Ctrl/⌘ K, and `/` on pages without a search field. */
  onPalette: () => void;
  onSheet: () => void;
  /** `g` and a letter. Returns false for an unassigned letter. */
  onJump: (letter: string) => boolean;
}

/** Binds the panel's shortcuts. None work while a popup is open, single keys also not while typing. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    // Event time stamps start at 0 with the document.
    let sequenceStart = -SEQUENCE_TIMEOUT;
    function handleKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || document.querySelector(OPEN_POPUP)) return;
      const letter = letterOf(event);
      const isTyping = event.target instanceof Element && event.target.matches(TEXT_FIELD);
      if (event.ctrlKey || event.metaKey) {
        if (event.altKey || event.shiftKey) return;
        if (letter === "k") {
          event.preventDefault();
          latest.current.onPalette();
        } else if (letter === "z" && !isTyping && !event.repeat && pressUndo()) event.preventDefault();
        return;
      }
      if (isTyping || event.altKey || event.repeat || !hasSingleKeys()) return;
      // On buttons and checkboxes the space bar has its own effect.
      if (letter === " " && !(event.target instanceof HTMLAnchorElement)) return;
      const isSequence = event.timeStamp - sequenceStart < SEQUENCE_TIMEOUT;
      sequenceStart = -SEQUENCE_TIMEOUT;
      if (isSequence && latest.current.onJump(letter)) return event.preventDefault();
      if (letter === "g") sequenceStart = event.timeStamp;
      else if (event.key === "?") {
        event.preventDefault();
        latest.current.onSheet();
      } else if (event.key === "/") {
        event.preventDefault();
        const search = document.querySelector<HTMLElement>("main input[type=search]");
        if (search) search.focus();
        else latest.current.onPalette();
      } else if (pressListKey(event.shiftKey ? `Shift ${letter}` : letter)) event.preventDefault();
    }
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, []);
}

"use client";

import { useEffect, useRef } from "react";
import { letterOf } from "@/components/ui/letter-of";
import { singleKeys } from "@/components/ui/preference";
import { pressInList, undoLatest } from "./list-keys";

/** How long the second key may take. */
const PATIENCE = 1500;
/** A box is ticked by its space bar alone. */
const TYPING = "input:not([type=checkbox]), textarea, select, [contenteditable=true]";
/** A popup that is open or opening. One that fades out is closed already, and a toast is a dialog to screen readers alone. */
const POPUP =
  ":is([role=dialog], [role=alertdialog], [role=menu], [role=listbox]:not(main *), [data-opening]):not([data-closed], [data-closed] *, [data-toast])";

interface Shortcuts {
  /** Ctrl or ⌘ and K, and `/` where the page has nothing to search. */
  onPalette: () => void;
  /** `?` */
  onSheet: () => void;
  /** `g` and a letter. Returns whether it leads anywhere. */
  onJump: (letter: string) => boolean;
}

/**
 * The panel's keys. Those without Ctrl or ⌘ can be switched off; while somebody types the palette's alone counts, and
 * none while a popup is open.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    // Stamps of events count from the beginning of the document.
    let before = -PATIENCE;
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || document.querySelector(POPUP)) return;
      const letter = letterOf(event);
      const types = event.target instanceof Element && event.target.matches(TYPING);
      if (event.ctrlKey || event.metaKey) {
        if (event.altKey || event.shiftKey) return;
        if (letter === "k") {
          event.preventDefault();
          latest.current.onPalette();
        } else if (letter === "z" && !types && !event.repeat && undoLatest()) event.preventDefault();
        return;
      }
      if (types || event.altKey || event.repeat || !singleKeys()) return;
      // The space bar presses a button and ticks a box.
      if (letter === " " && !(event.target instanceof HTMLAnchorElement)) return;
      const jumps = event.timeStamp - before < PATIENCE;
      before = -PATIENCE;
      if (jumps && latest.current.onJump(letter)) return event.preventDefault();
      if (letter === "g") before = event.timeStamp;
      else if (event.key === "?") {
        event.preventDefault();
        latest.current.onSheet();
      } else if (event.key === "/") {
        event.preventDefault();
        const search = document.querySelector<HTMLElement>("main input[type=search]");
        if (search) search.focus();
        else latest.current.onPalette();
      } else if (pressInList(event.shiftKey ? `Shift ${letter}` : letter)) event.preventDefault();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

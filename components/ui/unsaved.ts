"use client";

import { createContext, useCallback, useContext, useEffect, useState } from "react";

/** Provided by a page or drawer: registers unsaved changes and returns a function that releases them. */
export const UnsavedContext = createContext<(() => () => void) | null>(null);

export function useUnsaved(unsaved: boolean): void {
  const hold = useContext(UnsavedContext);
  useEffect(() => (unsaved ? hold?.() : undefined), [hold, unsaved]);
}

/** Returns whether there are unsaved changes, and the value for `UnsavedContext`. */
export function useUnsavedTracker(): [held: boolean, hold: () => () => void] {
  const [count, setCount] = useState(0);
  const hold = useCallback(() => {
    setCount((previous) => previous + 1);
    return () => setCount((previous) => previous - 1);
  }, []);
  return [count > 0, hold];
}

let isLeavingAllowed = false;

/** Disables the question before leaving: the user has confirmed, or must not stay. */
export function allowLeaving(): void {
  isLeavingAllowed = true;
}

/** Makes the browser ask before the document is closed, reloaded or left with Back. */
export function useAskBeforeUnload(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeavingAllowed) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsaved]);
}

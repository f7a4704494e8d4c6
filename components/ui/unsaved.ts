"use client";

import { createContext, useCallback, useContext, useEffect, useState } from "react";

/** Provided by a page or drawer: registers unsaved changes and returns a function that releases them. */
export const UnsavedContext = createContext<(() => () => void) | null>(null);

export function useRegisterUnsaved(isUnsaved: boolean): void {
  const registerUnsaved = useContext(UnsavedContext);
  useEffect(() => (isUnsaved ? registerUnsaved?.() : undefined), [registerUnsaved, isUnsaved]);
}

export function useUnsavedTracker(): [hasUnsaved: boolean, registerUnsaved: () => () => void] {
  const [count, setCount] = useState(0);
  const registerUnsaved = useCallback(() => {
    setCount((previous) => previous + 1);
    return () => setCount((previous) => previous - 1);
  }, []);
  return [count > 0, registerUnsaved];
}

let isLeavingAllowed = false;

/** Disables the browser's question, because the user has confirmed or must not stay. */
export function allowLeaving(): void {
  isLeavingAllowed = true;
}

/** Makes the browser ask before the document is closed, reloaded or left with Back. */
export function useAskBeforeUnload(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const askBeforeUnload = (event: BeforeUnloadEvent) => {
      if (!isLeavingAllowed) event.preventDefault();
    };
    window.addEventListener("beforeunload", askBeforeUnload);
    return () => window.removeEventListener("beforeunload", askBeforeUnload);
  }, [isUnsaved]);
}

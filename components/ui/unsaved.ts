"use client";

import { createContext, useCallback, useContext, useEffect, useState } from "react";

/** Given by what can be left, a page or a drawer: holds it until the function it returns is called. */
export const UnsavedContext = createContext<(() => () => void) | null>(null);

/** Says whether something typed would be lost, to the drawer around it or else to the page. */
export function useUnsaved(unsaved: boolean): void {
  const hold = useContext(UnsavedContext);
  useEffect(() => (unsaved ? hold?.() : undefined), [hold, unsaved]);
}

/** Whether anything holds, and the function for `UnsavedContext`. */
export function useHolds(): [held: boolean, hold: () => () => void] {
  const [count, setCount] = useState(0);
  const hold = useCallback(() => {
    setCount((before) => before + 1);
    return () => setCount((before) => before - 1);
  }, []);
  return [count > 0, hold];
}

let leaving = false;

/** From here on the document may be left without a question: the person was asked, or must not stay. */
export function leaveUnasked(): void {
  leaving = true;
}

/** Lets the browser ask before the document is closed, loaded again or left by Back. */
export function useAskBeforeUnload(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!leaving) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsaved]);
}

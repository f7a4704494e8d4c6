"use client";

import { createContext, useContext, useEffect } from "react";

/** Told by what stands in a drawer whether closing it would lose something. */
export const UnsavedContext = createContext<((unsaved: boolean) => void) | null>(null);

/** Says whether something typed would be lost, to the drawer around it if there is one. */
export function useUnsaved(unsaved: boolean): void {
  const tell = useContext(UnsavedContext);
  useEffect(() => {
    tell?.(unsaved);
    return () => tell?.(false);
  }, [tell, unsaved]);
}

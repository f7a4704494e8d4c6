"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { CREATE } from "./list-keys";
import { whenShown } from "./when-shown";

/** Page whose create button is pressed once it has loaded. */
let wanted: string | undefined;

const press = (button: HTMLElement) => button.click();

/** Opens a page and presses its create button. `go` returns whether the navigation started. */
export function beginThere(path: string, go: (href: string) => boolean): void {
  if (window.location.pathname === path) whenShown(CREATE, press);
  else if (go(path)) wanted = path;
}

/** Presses the create button of a page opened by {@link beginThere}. */
export function useBeginning(): void {
  const path = usePathname();
  useEffect(() => {
    const begins = wanted === path;
    wanted = undefined;
    return begins ? whenShown(CREATE, press) : undefined;
  }, [path]);
}

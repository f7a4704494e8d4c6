"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { CREATE } from "./list-keys";
import { whenShown } from "./when-shown";

/** The page on which something is to be begun once it is there. */
let wanted: string | undefined;

const press = (button: HTMLElement) => button.click();

/** Opens a page and presses its button for something new; `go` returns whether the page is on its way. */
export function beginThere(path: string, go: (href: string) => boolean): void {
  if (window.location.pathname === path) whenShown(CREATE, press);
  else if (go(path)) wanted = path;
}

/** Begins on the page that was opened what {@link beginThere} wants there. */
export function useBeginning(): void {
  const path = usePathname();
  useEffect(() => {
    const begins = wanted === path;
    wanted = undefined;
    return begins ? whenShown(CREATE, press) : undefined;
  }, [path]);
}

"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { CREATE } from "./list-keys";
import { whenShown } from "./when-shown";

let pendingPath: string | undefined;

const press = (button: HTMLElement) => button.click();

/** Opens a page and presses its create button. `go` returns whether the navigation started. */
export function beginThere(path: string, go: (href: string) => boolean): void {
  if (window.location.pathname === path) whenShown(CREATE, press);
  else if (go(path)) pendingPath = path;
}

export function useBeginning(): void {
  const path = usePathname();
  useEffect(() => {
    const isPending = pendingPath === path;
    pendingPath = undefined;
    return isPending ? whenShown(CREATE, press) : undefined;
  }, [path]);
}

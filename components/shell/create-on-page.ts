"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { CREATE } from "./list-keys";
import { whenVisible } from "./when-visible";

let pendingPath: string | undefined;

const press = (button: HTMLElement) => button.click();

/** Opens a page and presses its create button. `go` returns whether the navigation started. */
export function createOnPage(path: string, go: (href: string) => boolean): void {
  if (window.location.pathname === path) whenVisible(CREATE, press);
  else if (go(path)) pendingPath = path;
}

export function usePendingCreate(): void {
  const path = usePathname();
  useEffect(() => {
    const isPending = pendingPath === path;
    pendingPath = undefined;
    return isPending ? whenVisible(CREATE, press) : undefined;
  }, [path]);
}

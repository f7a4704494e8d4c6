"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { CREATE_BUTTON_SELECTOR } from "./list-keys";
import { whenVisible } from "./when-visible";

let pendingPath: string | undefined;

const pressButton = (button: HTMLElement) => button.click();

/** Opens a page and presses its create button. `navigate` returns whether the navigation started. */
export function pressCreateOnPage(path: string, navigate: (href: string) => boolean): void {
  if (window.location.pathname === path) whenVisible(CREATE_BUTTON_SELECTOR, pressButton);
  else if (navigate(path)) pendingPath = path;
}

/** Presses the create button of the page that `pressCreateOnPage` has opened. */
export function usePendingCreate(): void {
  const path = usePathname();
  useEffect(() => {
    const isPending = pendingPath === path;
    pendingPath = undefined;
    return isPending ? whenVisible(CREATE_BUTTON_SELECTOR, pressButton) : undefined;
  }, [path]);
}

"use client";

import { useEffect } from "react";

/** Milliseconds for a dialog to return the focus, or for a page to place it. */
const GRACE_PERIOD = 100;

/** When the focused element is removed, focuses the heading of its section or of the page. Rendered once. */
export function FocusKeeper() {
  useEffect(() => {
    let path: Element[] = [];
    let timer: number | undefined;
    const rememberPath = ({ target }: FocusEvent) => {
      path = target instanceof Element ? pathOf(target) : [];
    };
    const observer = new MutationObserver(() => {
      if (path.length === 0 || path[0]!.isConnected) return;
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (document.activeElement === document.body && !path[0]!.isConnected) focusNear(path);
      }, GRACE_PERIOD);
    });
    document.addEventListener("focusin", rememberPath);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener("focusin", rememberPath);
      observer.disconnect();
    };
  }, []);
  return null;
}

function pathOf(element: Element): Element[] {
  const path: Element[] = [];
  for (let each: Element | null = element; each; each = each.parentElement) path.push(each);
  return path;
}

function focusNear(path: readonly Element[]): void {
  const around = path.find((each) => each.isConnected && each.matches("section, main, [role=dialog]"));
  const heading =
    around?.querySelector<HTMLElement>("h1, h2, h3") ?? document.querySelector<HTMLElement>("h1");
  if (!heading) return;
  if (!heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

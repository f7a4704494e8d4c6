"use client";

import { useEffect } from "react";

/** Time for a dialog to return the focus, or for a page to place it. */
const GRACE_PERIOD_MS = 100;

/**
 * When the focused element is removed, focuses the row that has taken its row's place, or else the heading of its
 * section or of the page. Rendered once.
 */
export function FocusKeeper() {
  useEffect(() => {
    let ancestors: Element[] = [];
    let rowIndex = -1;
    let timer: number | undefined;
    const rememberAncestors = ({ target }: FocusEvent) => {
      ancestors = target instanceof Element ? getAncestors(target) : [];
      rowIndex = target instanceof Element ? (target.closest("tr")?.sectionRowIndex ?? -1) : -1;
    };
    const observer = new MutationObserver(() => {
      if (ancestors.length === 0 || ancestors[0]!.isConnected) return;
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (document.activeElement !== document.body || ancestors[0]!.isConnected) return;
        if (!focusRow(ancestors, rowIndex)) focusNearestHeading(ancestors);
      }, GRACE_PERIOD_MS);
    });
    document.addEventListener("focusin", rememberAncestors);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener("focusin", rememberAncestors);
      observer.disconnect();
    };
  }, []);
  return null;
}

function getAncestors(element: Element): Element[] {
  const ancestors: Element[] = [];
  for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement)
    ancestors.push(ancestor);
  return ancestors;
}

function focusRow(ancestors: readonly Element[], index: number): boolean {
  const body = ancestors.find((ancestor) => ancestor instanceof HTMLTableSectionElement);
  if (index < 0 || !body?.isConnected) return false;
  const row = body.rows[Math.min(index, body.rows.length - 1)];
  const control = row?.querySelector<HTMLElement>("a[href], button");
  control?.focus({ preventScroll: true });
  return control !== undefined && control !== null;
}

function focusNearestHeading(ancestors: readonly Element[]): void {
  const container = ancestors.find(
    (ancestor) => ancestor.isConnected && ancestor.matches("section, main, [role=dialog]"),
  );
  const heading =
    container?.querySelector<HTMLElement>("h1, h2, h3") ?? document.querySelector<HTMLElement>("h1");
  if (!heading) return;
  if (!heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

"use client";

import { useSyncExternalStore } from "react";

const pendingLinks = new Set<string>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

/** Records that the page of a link is loading or has loaded. */
export function setLinkPending(link: string, pending: boolean): void {
  if (pending ? pendingLinks.has(link) : !pendingLinks.delete(link)) return;
  if (pending) pendingLinks.add(link);
  notify();
}

/** Ends all navigations: a link in a closed menu unmounts and cannot report its own. */
export function clearPendingLinks(): void {
  pendingLinks.clear();
  notify();
}

export function useIsNavigating(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pendingLinks.size > 0,
    () => false,
  );
}

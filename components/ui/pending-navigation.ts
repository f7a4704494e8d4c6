"use client";

import { useSyncExternalStore } from "react";

const pendingLinks = new Set<string>();
const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

export function setLinkPending(linkId: string, isPending: boolean): void {
  if (isPending ? pendingLinks.has(linkId) : !pendingLinks.delete(linkId)) return;
  if (isPending) pendingLinks.add(linkId);
  notifyListeners();
}

/** Clears all pending links. A link in a closed menu unmounts and cannot clear its own. */
export function clearPendingLinks(): void {
  pendingLinks.clear();
  notifyListeners();
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

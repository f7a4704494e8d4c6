"use client";

import { useSyncExternalStore } from "react";

/** Links whose pages are loading. */
const following = new Set<string>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const each of listeners) each();
}

/** Records that the page of a link is loading or has loaded. */
export function follow(link: string, pending: boolean): void {
  if (pending ? following.has(link) : !following.delete(link)) return;
  if (pending) following.add(link);
  tell();
}

/** Ends all navigations: a link in a closed menu unmounts and cannot report its own. */
export function arrive(): void {
  following.clear();
  tell();
}

/** Returns whether a page is loading. */
export function useFollowing(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => following.size > 0,
    () => false,
  );
}
